"""The timed window, as its two events tell it once it is over: nothing is printed within."""

from typing import Any, List, Sequence

from worker import events
from worker.job import Job


def tell(
    job: Job,
    start: float,
    end: float,
    step_ends: List[float],
    losses: Sequence[Any] = (),
    waited: float = 0.0,
) -> None:
    """Emit its events: monotonic seconds of its edges, at which the device was synchronised.

    `step_ends` are the seconds from its start to where each step or call returned, which says
    nothing of when its work was done; `waited` those that went by in waiting for batches.
    """
    events.emit("window_start", time_seconds=start)
    events.emit(
        "window_end",
        time_seconds=end,
        steps=len(step_ends),
        images=len(step_ends) * job.batch_size,
        wait_seconds=waited,
        step_end_seconds=step_ends,
        losses=[float(loss) for loss in losses],
    )
