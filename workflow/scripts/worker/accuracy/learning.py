"""Accuracy during training, at regular numbers of steps."""

import itertools
import time
from typing import Any, Callable, Dict, Iterator

from worker import events
from worker.accuracy import evaluation
from worker.adapter import Adapter
from worker.arrays import Batch
from worker.job import Job


def measure(
    adapter: Adapter, job: Job, step: Callable[[Batch], Any], batches: Iterator[Batch]
) -> None:
    """Train for the steps of warm-up and window, and evaluate every job.evaluate_every steps.

    The seconds exclude evaluations, and what is read before the first step: where images are
    shuffled, an epoch. The device is synchronised before and after the steps between.
    """
    points: Dict[str, Any] = dict(steps=[], seconds=[], top1=[], top5=[])
    seconds, every = 0.0, job.evaluate_every
    batches = itertools.chain([next(batches)], batches)
    for steps in range(every, job.warmup_steps + job.steps + 1, every):
        adapter.synchronise()
        start = time.monotonic()
        for _ in range(every):
            step(next(batches))
        adapter.synchronise()
        seconds += time.monotonic() - start
        shares = evaluation.shares(evaluation.predictions(adapter, job))
        point = dict(steps=steps, seconds=seconds, top1=shares["top1"], top5=shares["top5"])
        for name, value in point.items():
            points[name].append(value)
    events.emit("accuracies", **points)
