"""run.json: a run's status, window, load and provenance."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from trainmark.machine.cpu_load import Load, Window, load
from trainmark.machine.disturbances import Limits, disturbances
from trainmark.machine.processes import signal_name
from trainmark.machine.speed import Speed
from trainmark.machine.telemetry import Sample
from trainmark.runs.events import Event, last, scan
from trainmark.runs.formats import FORMAT
from trainmark.runs.launch import Exit
from trainmark.runs.nodes import sums
from trainmark.runs.nodes.other_nodes import Ended
from trainmark.runs.outcome import Ending, Outcome, outcome

TAIL_CHARACTERS = 65536


class Attempt(NamedTuple):
    """One execution of a worker, judged."""

    outcome: Outcome
    exit_code: int | None = None
    signal: str | None = None
    wall_seconds: float = 0.0
    rejected_events: int = 0
    window: Window | None = None
    images: int | None = None
    load: Load | None = None
    disturbances: Sequence[str] = ()
    samples: Sequence[Sample] = ()
    logs: Mapping[Path, bytes] = MappingProxyType({})  # of all nodes
    worker: Mapping[str, Any] | None = None
    gpu_idle_watts: float | None = None
    host_speed: Speed | None = None
    of_nodes: Sequence[Sequence[Sample]] = ()  # the samples of each node; `samples` are their sums
    arrays: Sequence[Path] = ()


def judge(
    ended: Exit,
    printed: bytes,
    timeout_seconds: float,
    limits: Limits,
    others: Sequence[Ended] = (),
) -> Attempt:
    """Judge an execution by how it ended, here and on other nodes, and by what it printed."""
    log = printed.decode(errors="replace")
    events, rejected = scan(log)
    window = _window(events)
    span = window or _all_of(ended)
    of_nodes = {"": ended.samples, **{f"{node}: ": other.samples for node, other in others}}
    ending = Ending(
        exit_code=ended.exit_code,
        signal=ended.signal,
        events=events,
        log=log[-TAIL_CHARACTERS:],
        timed_out=ended.timed_out,
        timeout_seconds=timeout_seconds,
        printed_too_much=ended.printed_too_much,
        oom_kills=ended.oom_kills + sum(other.oom_kills for _, other in others),
    )
    return Attempt(
        outcome=outcome(ending),
        exit_code=ended.exit_code,
        signal=signal_name(ended.signal) if ended.signal else None,
        wall_seconds=ended.wall_seconds,
        rejected_events=rejected,
        window=window,
        images=(last(events, "window_end") or {}).get("images"),
        load=sums.loads(load(each, span) for each in of_nodes.values()) if span else None,
        disturbances=_all_disturbances(of_nodes, window, span, events, limits),
        samples=sums.samples(list(of_nodes.values())),
        of_nodes=list(of_nodes.values()) if others else (),
        worker=last(events, "environment"),
    )


def record(
    attempt: Attempt, attempts: int, job: Mapping[str, Any], provenance: Mapping[str, Any]
) -> dict[str, Any]:
    """The content of run.json (schema: run.schema.json), without the digests of other files."""
    return {
        "format": FORMAT,
        "status": attempt.outcome.status,
        "reason": attempt.outcome.reason,
        "disturbed": bool(attempt.disturbances),
        "disturbances": list(attempt.disturbances),
        "attempts": attempts,
        "job": job,
        "exit_code": attempt.exit_code,
        "signal": attempt.signal,
        "wall_seconds": round(attempt.wall_seconds, 3),
        "rejected_events": attempt.rejected_events,
        "window": attempt.window._asdict() if attempt.window else None,
        "images": attempt.images,
        "load": attempt.load._asdict() if attempt.load else None,
        "memory_peak_bytes": max((s.own_memory_bytes for s in attempt.samples), default=None),
        "gpu_idle_watts": attempt.gpu_idle_watts,
        "host_speed": attempt.host_speed._asdict() if attempt.host_speed else None,
        # The framework's own report: version, libraries, threads and flags in effect.
        "worker": attempt.worker,
        "provenance": provenance,
    }


def _window(events: list[Event]) -> Window | None:
    start, end = last(events, "window_start"), last(events, "window_end")
    return Window(start["time_seconds"], end["time_seconds"]) if start and end else None


def _one_by_one(events: list[Event]) -> Window | None:
    """The span of the calls, or further steps, that were timed one by one."""
    latency = last(events, "latency")
    if latency is None:
        return None
    # Its event follows the last call; the prefills of a generation lie between the calls.
    return Window(latency["start_seconds"], latency["time_seconds"])


def _all_disturbances(
    of_nodes: Mapping[str, Sequence[Sample]],
    window: Window | None,
    span: Window | None,
    events: list[Event],
    limits: Limits,
) -> list[str]:
    """Disturbances of the window and of calls one by one; without a window, of the whole span."""
    if not window:
        # Outside the window, the run's own work makes clocks rise and fall.
        return _on_nodes(of_nodes, span, limits._replace(clock_change=1.0))
    # Percentiles suffer sooner than the mean of a window.
    one_by_one = _on_nodes(of_nodes, _one_by_one(events), limits)
    return [
        *_on_nodes(of_nodes, window, limits),
        *(f"{message} during calls one by one" for message in one_by_one),
    ]


def _on_nodes(
    of_nodes: Mapping[str, Sequence[Sample]], span: Window | None, limits: Limits
) -> list[str]:
    """Disturbances of each node in a span, each message beginning with the node's name, if any."""
    return [
        node + message
        for node, samples in of_nodes.items()
        if span
        for message in disturbances(samples, span, load(samples, span), limits)
    ]


def _all_of(ended: Exit) -> Window | None:
    """The whole span of an execution that timed out; None for others, and without samples."""
    if not (ended.timed_out and ended.samples):
        return None
    return Window(ended.samples[0].time_seconds, ended.samples[-1].time_seconds)
