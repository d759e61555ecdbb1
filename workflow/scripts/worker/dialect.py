"""What the host must know to read the log of a framework's own program or loop."""

import time

from worker import events
from worker.job import Job


def announce(name: str, job: Job, timed_by_worker: bool = False) -> None:
    """Announce that a log in this dialect follows, up to the next event.

    What the host's parser of that name (trainmark/runs/dialects) finds becomes the event logged
    and, where the worker doesn't time the window itself, the events of warm-up and window. Both
    clocks are read together, so that times of one convert to times of the other.
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
