"""Accuracy on the test split."""

import time

import numpy

from worker import events
from worker.adapter import Adapter
from worker.input import modes
from worker.job import Job


def evaluate(adapter: Adapter, job: Job) -> None:
    """Top-1 and top-5 accuracy in percent over the whole test split."""
    start = time.monotonic()
    count = top1 = top5 = 0
    for batch in modes.batches(adapter, job, "test"):
        logits, labels = adapter.predict(batch)
        # not below rather than above: a tie or a NaN never counts as recognised
        own = logits[numpy.arange(len(labels)), labels][:, None]
        ranks = (~(logits < own)).sum(axis=1) - 1
        top1 += int((ranks < 1).sum())
        top5 += int((ranks < 5).sum())
        count += len(labels)
    events.emit(
        "evaluation",
        count=count,
        top1=100.0 * top1 / count,
        top5=100.0 * top5 / count,
        seconds=time.monotonic() - start,
    )
