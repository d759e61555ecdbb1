"""The last lines of a log: the one that says how a program ended."""

import re

from trainmark.runs.events import PREFIX

REASON_LENGTH = 300
TAIL_LINES = 20
OUT_OF_MEMORY_KILLER = re.compile(r"\bKilled\b|oom.?kill", re.IGNORECASE)
EXCEPTION = re.compile(r"[\w.]+(Error|Exception|Exit|Interrupt|Warning)\b(: .*)?$")
# glog's, which Caffe writes before it aborts: a fatal line, and frames of the stack to be skipped.
FATAL = re.compile(r"F\d{4,8} [\d:.]+ +\d+ \S+\] ")
SKIPPED = re.compile(rf"{PREFIX}|^ +@ +(0x[0-9a-f]+|\(nil\)) ")
TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def exception(log: str) -> str:
    """The last exception of the log, e.g. `ValueError: …`, or fatal line, without its traceback."""
    lines = [line for line in readable(log) if EXCEPTION.match(line) or FATAL.match(line)]
    return short(FATAL.sub("", lines[-1])) if lines else ""


def line_on(what: re.Pattern[str], log: str) -> str:
    """The last line of the log that matches a pattern."""
    lines = [line for line in readable(log) if what.search(line)]
    return short(FATAL.sub("", lines[-1].strip())) if lines else ""


def last_line(log: str) -> str:
    """The last line of the log, whatever it says."""
    lines = readable(log)
    return short(lines[-1].strip()) if lines else ""


def says_killed(log: str) -> bool:
    """Whether one of the last lines says that the kernel, or a shell, saw a process killed."""
    return OUT_OF_MEMORY_KILLER.search("\n".join(readable(log))) is not None


def short(text: str) -> str:
    """A text as one line of at most REASON_LENGTH characters."""
    line = " ".join(text.split())
    return line if len(line) <= REASON_LENGTH else line[: REASON_LENGTH - 1] + "…"


def readable(log: str, count: int = TAIL_LINES) -> list[str]:
    """The last lines that people would read: no events, progress bars, colours, stack frames."""
    text = TERMINAL_CODES.sub("", log).replace("\r", "\n")
    lines = [line for line in text.split("\n") if line.strip() and not SKIPPED.search(line)]
    return lines[-count:]
