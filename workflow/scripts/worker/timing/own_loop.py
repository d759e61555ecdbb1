"""Warm-up and window by a framework's own loop or program, which prints its own log."""

import time
from typing import Iterator, List

from worker import dialect, events
from worker.arrays import Batch
from worker.feed import Feed
from worker.input import modes
from worker.job import Job
from worker.own_training import OwnLoop, OwnProgram, OwnTraining
from worker.timing import windows


def train(adapter: OwnTraining, job: Job) -> None:
    """Warm-up and window, by a program that knows of both, or by a loop that is called for each."""
    if isinstance(adapter, OwnProgram):
        adapter.train(job.warmup_steps, job.steps)
    if isinstance(adapter, OwnLoop):
        fit(adapter, job)


def fit(adapter: OwnLoop, job: Job) -> None:
    """One call of the loop for warm-up and one for the window, whose log is announced."""
    batches = modes.training_batches(adapter, job)
    start = time.monotonic()
    if job.warmup_steps:
        adapter.fit(Feed(batches, job.warmup_steps))
    adapter.synchronise()
    events.emit("warmup", steps=job.warmup_steps, seconds=time.monotonic() - start)
    of_window = job._replace(warmup_steps=0)  # the warm-up's log came before
    dialect.announce(adapter.dialect, of_window, timed_by_worker=True)
    window(adapter, job, batches)


def window(adapter: OwnLoop, job: Job, batches: Iterator[Batch]) -> None:
    """From where the loop asks for its first batch to where it returns, synchronised at both.

    When its steps end in between, only the loop knows.
    """
    starts: List[float] = []

    def begin() -> None:
        adapter.synchronise()
        starts.append(time.monotonic())

    losses = adapter.fit(Feed(batches, job.steps, begin))
    adapter.synchronise()
    end = time.monotonic()
    windows.tell(job, starts[0], end, [], losses, waited=None, steps=job.steps)
