"""Each run's proof of equal work, before it is timed: its first step beside the reference's."""

import time

import numpy

from worker import events, parity, reference


def check(adapter, network, initial, batch, job):
    """Time the first step and, where there is a reference, compare it with that.

    A batch may have a value so near to a kink of ReLU or to a tie in a pooling window that float32
    falls on the other side, which moves a whole gradient. So one that fails gets a second batch:
    other work fails with both. Raises ParityFailed then.
    """

    def first_step(batch):
        start = time.monotonic()
        loss = adapter.train_step(batch)
        adapter.synchronise()
        events.emit("first_step", seconds=time.monotonic() - start)
        return loss

    observed = parity.observe(adapter, network, initial, batch, job, first_step)
    if job["reference"] is None:
        return
    with numpy.load(job["reference"]) as stored:
        result = parity.compare(dict(stored), observed, initial)
    events.emit("parity", **result)
    if not result["passed"]:
        _check_second_batch(adapter, network, initial, job)


def _check_second_batch(adapter, network, initial, job):
    """Compare another batch with its own reference, which is computed here.

    Raises ParityFailed.
    """
    images = parity.fixed_batch(job, draw=1)
    batch = adapter.batch(*parity.fill(images, job["batch_size"]))
    adapter.load(initial)
    observed = parity.observe(adapter, network, initial, batch, job, adapter.train_step)
    result = parity.compare(reference.observe(job, draw=1), observed, initial)
    events.emit("parity", **result)
    if not result["passed"]:
        raise events.ParityFailed(_describe(result))


def _describe(result):
    """Say by how much and where a framework misses the reference, in one line."""
    beyond = [
        f"{quantity} off by {result[quantity]:.1e} (allowed {limit:.0e})"
        for quantity, limit in sorted(parity.TOLERANCES.items())
        if not result[quantity] <= limit
    ]
    if any(not result[name] <= parity.TOLERANCES[name] for name in ("gradient_norm", "update")):
        beyond.append(f"worst tensor {result['worst_layer']}")
    return "; ".join(beyond)
