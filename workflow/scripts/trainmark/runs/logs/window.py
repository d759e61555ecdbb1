"""Events from a log in a dialect: the speed that it states, and the window of a program.

The only clock of a program, unlike that of a loop within the worker, is its log's time stamps.
"""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from trainmark.runs.logs.speed import stated
from trainmark.runs.logs.statements import NO_YEAR, Progress

Event = dict[str, Any]


class Step(NamedTuple):
    """A step's loss, and the time of its statement on the monotonic clock."""

    time_seconds: float
    loss: float | None


def events(statements: Sequence[Progress], announced: Event) -> list[Event]:
    """The speed that a log states and, unless the worker times the window itself, the window.

    `announced` is the worker's dialect event; the log's stamps are UTC.
    """
    logged = _logged(statements, announced)
    return logged if announced.get("timed_by_worker") else logged + _timed(statements, announced)


def _logged(statements: Sequence[Progress], announced: Event) -> list[Event]:
    size, before, steps = (announced[name] for name in ("batch_size", "warmup_steps", "steps"))
    speed = stated(statements, size, before, steps)
    if speed is None:
        return []
    return [_event("logged", announced["time_seconds"], name=announced["name"], **speed._asdict())]


def _timed(statements: Sequence[Progress], announced: Event) -> list[Event]:
    """Warm-up and window, as far as the log goes, and an error if a loss isn't finite.

    A step's time stamp may be anywhere within the step. So the window is from the stamp of the
    last step of warm-up to that of its own last step: it has each part of a step equally often.
    """
    steps = _steps(statements, announced)
    warmup_steps, last = announced["warmup_steps"], announced["warmup_steps"] + announced["steps"]
    timed: list[Event] = []
    if warmup_steps in steps:
        edge = steps[warmup_steps].time_seconds
        seconds = edge - steps[0].time_seconds if 0 in steps else 0.0
        timed.append(_event("warmup", edge, steps=warmup_steps, seconds=seconds))
        timed.append(_event("window_start", edge))
        if last in steps:
            window = range(warmup_steps + 1, last + 1)
            stamped = [steps[number] for number in window if number in steps]
            timed.append(_window_end(edge, stamped, announced))
    return timed + _wrong(steps)


def _window_end(edge: float, window: Sequence[Step], announced: Event) -> Event:
    return _event(
        "window_end",
        window[-1].time_seconds,
        steps=announced["steps"],
        images=announced["steps"] * announced["batch_size"],
        wait_seconds=None,
        step_end_seconds=[step.time_seconds - edge for step in window],
        losses=[_finite(step.loss) for step in window],
    )


def _wrong(steps: dict[int, Step]) -> list[Event]:
    """The error event of the first loss that isn't finite; a program often crashes after it."""
    for number, step in sorted(steps.items()):
        if step.loss is not None and not math.isfinite(step.loss):
            message = f"the loss is not finite from step {number} on"
            return [_event("error", step.time_seconds, kind="failed", message=message)]
    return []


def _steps(statements: Sequence[Progress], announced: Event) -> dict[int, Step]:
    """The steps with time stamps, by number; 0 is the start of training."""
    start = datetime.fromtimestamp(announced["wall_seconds"], UTC)
    steps = {}
    for statement in statements:
        written = _dated(statement.time, start)
        if written and statement.step is not None:
            seconds = announced["time_seconds"] + (written - start).total_seconds()
            steps[statement.step] = Step(seconds, statement.loss)
    return steps


def _dated(stamp: datetime | None, start: datetime) -> datetime | None:
    """The time of a stamp, whose year may be missing; a log may go on over New Year."""
    if stamp is None:
        return None
    written = stamp.replace(tzinfo=UTC)
    if stamp.year != NO_YEAR:
        return written
    try:
        written = written.replace(year=start.year)
    except ValueError:  # a 29th of February that isn't one
        return None
    return written.replace(year=start.year + 1) if start - written > timedelta(days=1) else written


def _finite(loss: float | None) -> float | None:
    """The loss, or None for NaN and infinity, which JSON doesn't have; the worker does so too."""
    return loss if loss is not None and math.isfinite(loss) else None


def _event(event: str, time_seconds: float, **fields: Any) -> Event:
    return {"event": event, "time_seconds": time_seconds, **fields}
