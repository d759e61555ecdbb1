"""Accuracy on the test split."""

import time
from typing import Any, Dict

import numpy

from worker import events
from worker.adapter import Adapter
from worker.input import modes
from worker.job import Job


def evaluate(adapter: Adapter, job: Job) -> None:
    """Emit top-1 and top-5 accuracy after training."""
    start = time.monotonic()
    found = accuracy(adapter, job)
    events.emit("evaluation", seconds=time.monotonic() - start, **found)


def accuracy(adapter: Adapter, job: Job) -> Dict[str, Any]:
    """Images of the whole test split (count), and of these the percent of top-1 and top-5."""
    count = top1 = top5 = 0
    for batch in modes.batches(adapter, job, "test"):
        logits, labels = adapter.predict(batch)
        # not below rather than above: a tie or a NaN never counts as recognised
        own = logits[numpy.arange(len(labels)), labels][:, None]
        ranks = (~(logits < own)).sum(axis=1) - 1
        top1 += int((ranks < 1).sum())
        top5 += int((ranks < 5).sum())
        count += len(labels)
    return dict(count=count, top1=100.0 * top1 / count, top5=100.0 * top5 / count)
