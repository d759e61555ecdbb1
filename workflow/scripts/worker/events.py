"""A worker's events: lines of a prefix and one JSON object, among all other output."""

import json
import math
import re
import sys
import time
from contextlib import contextmanager
from typing import Any, Iterator, Optional

PREFIX = "@trainmark "
EXIT_STATUS = {"unsupported": 3, "parity": 4}
"""The exit status of a process by the kind of its error; it is 1 for any other kind."""

BEFORE_REASONS = re.compile(
    r"$|\s|Traceback \(|Exception from |Graph execution error:|Detected at node|<stack traces|"
    r"backend=.* raised:"
)
"""Lines that frameworks put before an error's reason; those of a stack are indented."""


class Unsupported(Exception):
    """The framework doesn't support something that the job requests: a device, an option, ..."""


class ParityFailed(Exception):
    """The framework's first steps don't agree with the reference."""


def emit(event: str, time_seconds: Optional[float] = None, **fields: Any) -> None:
    """Print one event; `time_seconds` is its time by the monotonic clock, by default now."""
    if time_seconds is None:
        time_seconds = time.monotonic()
    record = dict(event=event, time_seconds=time_seconds, **fields)
    sys.stdout.write(PREFIX + json.dumps(_finite(record), sort_keys=True) + "\n")
    sys.stdout.flush()


@contextmanager
def reported_errors() -> Iterator[None]:
    """Report an error by an `error` event, then exit with the status of the error's kind.

    An error of a kind that isn't in EXIT_STATUS is raised again.
    """
    try:
        yield
    except Exception as error:
        kind = kind_of(error)
        message = reason(error) if kind in EXIT_STATUS else in_one_line(error)
        emit("error", kind=kind, message=message)
        if kind not in EXIT_STATUS:
            raise
        sys.exit(EXIT_STATUS[kind])


def reason(error: Exception) -> str:
    """The line of an error's message that says why: the first that isn't one of a stack trace."""
    lines = str(error).strip().splitlines() or [""]
    return next((line for line in lines if not BEFORE_REASONS.match(line)), lines[0]).strip()


def in_one_line(error: Exception) -> str:
    """An error's class and reason; MXNet's messages name the class themselves."""
    name, line = type(error).__name__, reason(error)
    return line if line.startswith(name + ":") else f"{name}: {line}"


def kind_of(error: Exception) -> str:
    """The `kind` of an error in the `error` event."""
    if isinstance(error, Unsupported):
        return "unsupported"
    if isinstance(error, ParityFailed):
        return "parity"
    if isinstance(error, MemoryError):
        return "out_of_memory"
    if isinstance(error, ImportError):
        return "missing_library"
    return "failed"


def _finite(value: Any) -> Any:
    """The value with None for NaN and infinity, which JSON lacks."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
