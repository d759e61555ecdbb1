"""The log of `caffe train`: glog lines, in which each displayed iteration stands with its loss.

An iteration is logged between its backward pass and its update, so that a window from the last one
of warm-up to its own last one holds as many of either as it has steps.

Sources: https://github.com/BVLC/caffe/blob/master/src/caffe/solver.cpp (Solver::Step) and
https://github.com/google/glog/blob/master/src/logging.cc (newer versions write the year).
"""

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

Event = dict[str, Any]

LINE = re.compile(r"I(\d{4})?(\d{4} \d\d:\d\d:\d\d\.\d{6}) +\d+ solver\.cpp:\d+\] (.*)")
STAMP = "%Y%m%d %H:%M:%S.%f"
SOLVING = re.compile(r"Solving\b")
# Versions before 1.0 give no speed in parentheses.
ITERATION = re.compile(
    r"Iteration (\d+)(?: \(.*\))?, loss = ([-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|nan|inf))$"
)


class Iteration(NamedTuple):
    """When an iteration's loss was known, on the monotonic clock, and that loss."""

    time_seconds: float
    loss: float | None


def events(log: str, announced: Event) -> list[Event]:
    """Return the events of warm-up and window, as far as the log goes, and of a loss gone wrong.

    `announced` is the worker's dialect event; the log's times are UTC. A last line that was cut
    off doesn't count.
    """
    start, iterations = _read(log, announced)
    warmup_steps, steps = announced["warmup_steps"], announced["steps"]
    ends = {number: iteration.time_seconds for number, iteration in iterations.items()}
    edge = ends.get(warmup_steps - 1) if warmup_steps else start
    found: list[Event] = []
    if edge is not None:
        seconds = edge - start if start is not None else 0.0
        found.append(_event("warmup", edge, steps=warmup_steps, seconds=seconds))
        found.append(_event("window_start", edge))
        if warmup_steps + steps - 1 in iterations:
            window = range(warmup_steps, warmup_steps + steps)
            known = [iterations[number] for number in window if number in iterations]
            found.append(_window_end(edge, known, announced))
    return found + _wrong(iterations)


def _wrong(iterations: dict[int, Iteration]) -> list[Event]:
    """The error of a loss that isn't finite: often Caffe's next words are those of a crash."""
    for number, iteration in sorted(iterations.items()):
        if iteration.loss is None:
            message = f"the loss is not finite from iteration {number} on"
            return [_event("error", iteration.time_seconds, kind="failed", message=message)]
    return []


def _window_end(edge: float, window: list[Iteration], announced: Event) -> Event:
    return _event(
        "window_end",
        window[-1].time_seconds,
        steps=announced["steps"],
        images=announced["steps"] * announced["batch_size"],
        wait_seconds=None,
        step_end_seconds=[iteration.time_seconds - edge for iteration in window],
        losses=[iteration.loss for iteration in window],
    )


def _read(log: str, announced: Event) -> tuple[float | None, dict[int, Iteration]]:
    """When training started, and the iterations by their numbers."""
    start, iterations = None, {}
    for time_seconds, message in _messages(log, announced):
        iteration = ITERATION.match(message)
        if SOLVING.match(message):
            start = time_seconds
        elif iteration:
            loss = float(iteration[2])
            known = loss if math.isfinite(loss) else None
            iterations[int(iteration[1])] = Iteration(time_seconds, known)
    return start, iterations


def _messages(log: str, announced: Event) -> Iterator[tuple[float, str]]:
    """The solver's messages and their times on the monotonic clock."""
    told = datetime.fromtimestamp(announced["wall_seconds"], UTC)
    for found in filter(None, map(LINE.search, log[: log.rfind("\n") + 1].splitlines())):
        written = _time(f"{found[1] or told.year}{found[2]}", told)
        if written:
            yield announced["time_seconds"] + (written - told).total_seconds(), found[3].strip()


def _time(stamp: str, told: datetime) -> datetime | None:
    """The time of a stamp; a log that began before New Year may go on after it."""
    try:
        written = datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:  # digits that are no date
        return None
    return written.replace(year=written.year + 1) if told - written > timedelta(days=1) else written


def _event(event: str, time_seconds: float, **fields: Any) -> Event:
    return {"event": event, "time_seconds": time_seconds, **fields}
