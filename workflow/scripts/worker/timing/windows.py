"""The timed window: how many steps fill it, and its two events, which are printed after it."""

import math
from typing import Any, List, Optional, Sequence

from worker import events
from worker.job import Job

FEWEST_FURTHER = 4
"""Of fewer steps it can't be seen at the window's end that a framework only queued them."""
MOST_TIMES = 9
"""The first steps may tell little of the speed: at most so many times as many follow at once."""


def least_seconds(job: Job) -> float:
    """The least seconds of a window: the job's minimum, unless its limit of seconds is lower."""
    return min(job.window_seconds, job.max_seconds or job.window_seconds)


def further(done: int, seconds: float, least: float) -> int:
    """How many more steps a window needs to last `least` seconds, by the speed so far.

    `done` steps took `seconds`, in which the device was waited for: a framework may queue hundreds
    of steps in the time of one, so the clock alone says nothing of work that is left.
    """
    if seconds >= least:
        return 0
    needed = min(math.ceil(done * (least - seconds) / seconds), MOST_TIMES * done)
    return max(needed, FEWEST_FURTHER)


def report(
    job: Job,
    start: float,
    end: float,
    step_ends: List[float],
    losses: Sequence[Any] = (),
    waited: Optional[float] = 0.0,
    steps: Optional[int] = None,
) -> None:
    """Emit window_start and window_end.

    start, end: monotonic seconds; the device was synchronised at both. step_ends: the seconds from
    the start to the return of each step or call; its work may end later. waited: the seconds spent
    in waiting for batches. A framework's own loop reports neither: then step_ends is empty, waited
    is None, and steps is the number of steps.
    """
    count = len(step_ends) if steps is None else steps
    events.emit("window_start", time_seconds=start)
    events.emit(
        "window_end",
        time_seconds=end,
        steps=count,
        images=count * job.batch_size,
        wait_seconds=waited,
        step_end_seconds=step_ends,
        losses=[float(loss) for loss in losses],
    )
