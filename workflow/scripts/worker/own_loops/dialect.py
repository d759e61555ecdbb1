"""Announcing the log of a framework's own program or loop, so that the host can parse it."""

import time

from worker import events
from worker.job import Job


def announce(name: str, job: Job, timed_by_worker: bool = False) -> None:
    """Announce a log in the named dialect; the log lasts until the next event.

    The host's parser of that name (trainmark/runs/dialects) makes the event `logged` from the log.
    If the worker doesn't time the window itself, the parser also makes the events of warm-up and
    window. The event `dialect` has the times of both clocks, wall and monotonic, so that times of
    one can be converted to times of the other.
    """
    events.emit(
        "dialect",
        name=name,
        wall_seconds=time.time(),
        warmup_steps=job.warmup_steps,
        steps=job.steps,
        batch_size=job.batch_size,
        timed_by_worker=timed_by_worker,
    )
