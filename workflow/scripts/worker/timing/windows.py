"""The timed window, as its two events tell it once it is over: nothing is printed within."""

from typing import Any, List, Optional, Sequence

from worker import events
from worker.job import Job


def tell(
    job: Job,
    start: float,
    end: float,
    step_ends: List[float],
    losses: Sequence[Any] = (),
    waited: Optional[float] = 0.0,
    steps: Optional[int] = None,
) -> None:
    """Emit its events: monotonic seconds of its edges, at which the device was synchronised.

    `step_ends` are the seconds from its start to where each step or call returned, which says
    nothing of when its work was done; `waited` those that went by in waiting for batches. Where a
    framework's own loop keeps both to itself, `step_ends` is empty, `waited` None, and `steps` says
    how many there were.
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
