"""The parity check of each run, before it is timed: its first steps and the reference's."""

import time
from typing import Any, Dict, SupportsFloat

import numpy

from worker import events
from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.proof.compare import compare
from worker.proof.observe import observe
from worker.proof.reference import compute
from worker.proof.tolerances import FLOAT32


def check(adapter: Adapter, network: Network, initial: Weights, batch: Batch, job: Job) -> None:
    """Time the first step and, where there is a reference, compare it with that.

    A batch may have a value so near to the kink of a ReLU, or to a tie in a pooling window, that
    float32 rounds it to the other side, which changes a whole gradient. So a run that misses the
    reference gets a second batch. Raises ParityFailed where it misses both.
    """

    def first_step(batch: Batch) -> SupportsFloat:
        start = time.monotonic()
        loss = adapter.train_step(batch)
        adapter.synchronise()
        events.emit("first_step", seconds=time.monotonic() - start)
        return loss

    observed = observe(adapter, network, initial, batch, job, first_step)
    if job.reference is None:
        return
    with numpy.load(job.reference) as stored:
        result = compare(dict(stored), observed, initial)
    events.emit("parity", **result)
    if not result["passed"]:
        _check_second_batch(adapter, network, initial, job)


def _check_second_batch(adapter: Adapter, network: Network, initial: Weights, job: Job) -> None:
    """Compare another batch with its own reference, which is computed here.

    Raises ParityFailed.
    """
    batch = adapter.batch(*fixed_batch.whole(job, draw=1))
    adapter.load(initial)
    observed = observe(adapter, network, initial, batch, job, adapter.train_step)
    result = compare(compute(job, draw=1), observed, initial)
    events.emit("parity", **result)
    if not result["passed"]:
        raise events.ParityFailed(_describe(result))


def _describe(result: Dict[str, Any]) -> str:
    """Say by how much and where a framework misses the reference, in one line."""
    beyond = [
        f"{quantity} off by {result[quantity]:.1e} (allowed {limit:.0e})"
        for quantity, limit in sorted(FLOAT32.items())
        if not result[quantity] <= limit
    ]
    if any(not result[name] <= FLOAT32[name] for name in ("gradient_norm", "update")):
        beyond.append(f"worst tensor {result['worst_layer']}")
    return "; ".join(beyond)
