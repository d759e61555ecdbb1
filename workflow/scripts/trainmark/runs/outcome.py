"""The status of a run: a pure function of how its worker ended."""

import re
import signal
from typing import NamedTuple

from trainmark.machine import gpu
from trainmark.machine.processes import NAMED_SIGNALS, signal_name
from trainmark.runs.events import Event, last
from trainmark.runs.logs import last_lines

NOT_NEEDED = "not_needed"  # the status of a repeat that isn't run, after enough others
LONGEST_LOG_BYTES = 2**27
"""A worker that prints more is ended."""
FAILURES = ("failed", "out_of_memory", "timed_out")  # statuses of runs that began

PHASES = {
    None: "start-up, before the first event",
    "start": "the import of the framework",
    "environment": "building the network",
    "network": "settling or warm-up",
    "built": "the first step",
    "first_step": "the parity check",
    "parity": "the end of the parity check",
    "settled": "warm-up",
    "warmup": "the timed window",
    "logged": "the timed window",
    "window_start": "the timed window",
    "window_end": "the evaluation",
    "end": "exit, after the end event",
}
"""By a worker's last event, the phase in which it ended; of other events the phase varies."""
# For a rank on another node, the leader learns only that it ended, not how.
KILLED_RANK = re.compile(rf"\brank \d+ (ended with exit code -{signal.SIGKILL}|on .+ ended)$")
OUT_OF_MEMORY = re.compile(
    r"\bMemoryError\b|OutOfMemory|out of memory|bad_alloc|Cannot allocate memory"
    r"|can't allocate memory|Unable to allocate|failed to allocate|Memory allocation failed"
    r"|allocation of size \d+ failed|RESOURCE_EXHAUSTED|ResourceExhausted|"
    + "|".join(vendor.OUT_OF_MEMORY for vendor in gpu.vendors()),
    re.IGNORECASE,
)
OTHER_GPU = re.compile("|".join(vendor.OTHER_GPU for vendor in gpu.vendors()))
OLD_DRIVER = re.compile("|".join(vendor.OLD_DRIVER for vendor in gpu.vendors()))
MISSING_LIBRARY = (
    re.compile(r"([^\s:]+): cannot open shared object file"),
    re.compile(r"No module named '?([\w.]+)"),
)


class Ending(NamedTuple):
    """How a worker ended; `log` is the text that it printed, or the end of this text."""

    exit_code: int | None
    signal: int | None
    events: list[Event]
    log: str
    timed_out: bool = False
    timeout_seconds: float = 0.0
    printed_too_much: bool = False
    oom_kills: int = 0


class Outcome(NamedTuple):
    """The status of a run, and the reason in one line where it is not ok."""

    status: str
    reason: str | None


def outcome(ending: Ending) -> Outcome:
    """Determine the status; the worker's own report takes precedence over an inferred reason."""
    result = _outcome(ending)
    return (result.status == "failed" and _about_gpus(ending.log)) or result


def _about_gpus(log: str) -> Outcome | None:
    """The outcome where a build doesn't fit the GPU or its driver; None otherwise."""
    if line := last_lines.line_on(OTHER_GPU, log):
        return Outcome("unsupported", last_lines.short(f"built for other GPUs: {line}"))
    if line := last_lines.line_on(OLD_DRIVER, log):
        return Outcome("unavailable", last_lines.short(f"the GPUs' driver is too old: {line}"))
    return None


def _outcome(ending: Ending) -> Outcome:
    if ending.timed_out:
        return _timed_out(ending)
    if ending.printed_too_much:
        return Outcome("failed", f"printed more than {LONGEST_LOG_BYTES / 2**20:.0f} MiB")
    error = last(ending.events, "error")
    if error:
        return _reported(error, ending)
    number = _signal(ending)
    if number:
        return _killed(number, ending)
    if ending.exit_code:
        return _crashed(ending)
    # After signal and exit code: a first failed parity decides nothing, a second may follow.
    parity = last(ending.events, "parity")
    if parity and not parity["passed"]:
        return _parity(parity)
    return _exited(ending)


def _timed_out(ending: Ending) -> Outcome:
    reason = f"no end after {ending.timeout_seconds:g} s: hung in {_phase(ending.events)}"
    if ending.oom_kills:
        reason += "; meanwhile the kernel killed a process for want of memory"
    return Outcome("timed_out", reason)


def _reported(error: Event, ending: Ending) -> Outcome:
    message = last_lines.short(error["message"])
    if ending.oom_kills and KILLED_RANK.search(message):
        return Outcome(
            "out_of_memory", f"the kernel killed a process for want of memory; {message}"
        )
    if error["kind"] == "unsupported":
        return Outcome("unsupported", message)
    if error["kind"] == "out_of_memory" or OUT_OF_MEMORY.search(message):
        return Outcome("out_of_memory", message)
    if error["kind"] == "parity":
        return Outcome("failed", f"parity: {message}")
    return Outcome("failed", _missing_library(message) or message)


def _parity(parity: Event) -> Outcome:
    error = "not finite" if parity["error"] is None else f"{parity['error']:.2g}"
    layer = f", worst in {parity['worst_layer']}" if parity.get("worst_layer") else ""
    return Outcome("failed", f"parity: relative error {error}{layer}")


def _killed(number: int, ending: Ending) -> Outcome:
    phase = _phase(ending.events)
    if number == signal.SIGKILL and (ending.oom_kills or last_lines.says_killed(ending.log)):
        return Outcome("out_of_memory", f"killed by the kernel for want of memory in {phase}")
    name = (signal.strsignal(number) or "unknown signal").lower()
    ended_by = f"{name} ({signal_name(number)}) in {phase}"
    memory = last_lines.line_on(OUT_OF_MEMORY, ending.log)
    if memory:
        return Outcome("out_of_memory", last_lines.short(f"{memory}; {ended_by}"))
    exception = last_lines.exception(ending.log)
    return Outcome(
        "failed", last_lines.short(f"{ended_by}; {exception}" if exception else ended_by)
    )


def _crashed(ending: Ending) -> Outcome:
    line = last_lines.exception(ending.log) or last_lines.last_line(ending.log)
    missing = _missing_library(line)
    if missing:
        return Outcome("failed", missing)
    memory = line if OUT_OF_MEMORY.search(line) else last_lines.line_on(OUT_OF_MEMORY, ending.log)
    if memory:
        return Outcome("out_of_memory", memory)
    if ending.oom_kills and last_lines.says_killed(ending.log):
        return Outcome("out_of_memory", f"the kernel killed a process for want of memory; {line}")
    code = f"exit code {ending.exit_code} in {_phase(ending.events)}"
    return Outcome("failed", f"{line} ({code})" if line else f"{code}, nothing in the log")


def _exited(ending: Ending) -> Outcome:
    if last(ending.events, "end"):
        return Outcome("ok", None)
    phase = _phase(ending.events)
    return Outcome("failed", f"exit code 0 without an end event: stopped in {phase}")


def _signal(ending: Ending) -> int | None:
    """The signal n that ended the worker, also where a shell or container exits with 128 + n."""
    if ending.signal or not ending.exit_code:
        return ending.signal
    number = ending.exit_code - 128
    return number if number in NAMED_SIGNALS else None


def _phase(events: list[Event]) -> str:
    names = [event["event"] for event in events if event["event"] != "error"]
    name = names[-1] if names else None
    return PHASES.get(name, f"the phase after the event {name}")


def _missing_library(text: str) -> str | None:
    for pattern in MISSING_LIBRARY:
        match = pattern.search(text)
        if match:
            return f"missing library: {match[1]}"
    return None
