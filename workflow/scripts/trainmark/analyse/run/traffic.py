"""Bytes that went to and from disks and networks during the window."""

from trainmark.analyse.run.integral import rise
from trainmark.analyse.run.recording import Absent, Run


def megabytes_per_second(run: Run, counter: str, unknown: str) -> float:
    """How fast a counter of bytes rose, in MB (1e6) a second; without it, Absent for `unknown`."""
    if counter not in run.telemetry:
        raise Absent(unknown)
    return rise(run.series(counter)) / 1e6 / run.window_seconds
