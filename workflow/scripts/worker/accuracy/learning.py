"""Accuracy while training goes on."""

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
    """Train for as many steps as warm-up and window have, and evaluate after every so many.

    The seconds are those of training alone, the device synchronised before and after each stretch.
    """
    points: Dict[str, Any] = dict(steps=[], seconds=[], top1=[], top5=[])
    seconds, every = 0.0, job.evaluate_every
    for steps in range(every, job.warmup_steps + job.steps + 1, every):
        adapter.synchronise()
        start = time.monotonic()
        for _ in range(every):
            step(next(batches))
        adapter.synchronise()
        seconds += time.monotonic() - start
        found = evaluation.shares(evaluation.predictions(adapter, job))
        point = dict(steps=steps, seconds=seconds, top1=found["top1"], top5=found["top5"])
        for name, value in point.items():
            points[name].append(value)
    events.emit("accuracies", **points)
