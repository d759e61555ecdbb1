"""Warm-up and window of a framework's own loop or program, which prints its own log."""

import time
from typing import Iterator, List

from worker import events
from worker.arrays import Batch
from worker.input import modes
from worker.job import Job
from worker.own_loops import dialect
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop, OwnProgram, OwnTraining
from worker.timing import windows


def train(adapter: OwnTraining, job: Job) -> None:
    """Do warm-up and window: a program does both in one run, a loop is called once for each."""
    if isinstance(adapter, OwnProgram):
        adapter.train(job.warmup_steps, job.steps)
    if isinstance(adapter, OwnLoop):
        fit(adapter, job)


def fit(adapter: OwnLoop, job: Job) -> None:
    """Call the loop once for warm-up and once for the window; announce the window's log."""
    batches = modes.training_batches(adapter, job)
    start = time.monotonic()
    if job.warmup_steps:
        adapter.fit(Feed(batches, job.warmup_steps))
    adapter.synchronise()
    events.emit("warmup", steps=job.warmup_steps, seconds=time.monotonic() - start)
    window_job = job._replace(warmup_steps=0)  # the warm-up's log came before
    dialect.announce(adapter.dialect, window_job, timed_by_worker=True)
    window(adapter, job, batches)


def window(adapter: OwnLoop, job: Job, batches: Iterator[Batch]) -> None:
    """Time the loop from its request for the first batch to its return.

    The device is synchronised at both ends. The end of each step is unknown.
    """
    starts: List[float] = []

    def begin() -> None:
        adapter.synchronise()
        starts.append(time.monotonic())

    losses = adapter.fit(Feed(batches, job.steps, begin))
    adapter.synchronise()
    end = time.monotonic()
    windows.report(job, starts[0], end, [], losses, waited=None, steps=job.steps)
