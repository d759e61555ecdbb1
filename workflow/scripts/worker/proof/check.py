"""The parity check of each run, before it is timed: its first steps and the reference's."""

import time
from typing import Any, Callable, Dict

import numpy

from worker import events
from worker.input import fixed_batch
from worker.proof.compare import compare
from worker.proof.observe import Observe, Subject
from worker.proof.reference import compute
from worker.proof.tolerances import FLOAT32

OF_TENSORS = ("gradient_norm", "gradient", "update")
"""The quantities that are compared tensor by tensor."""


def check(subject: Subject, observe: Observe) -> None:
    """Time the first call of a stage and, where there is a reference, compare it with that.

    A batch may have a value so near to the kink of a ReLU, or to a tie in a pooling window, that
    float32 rounds it to the other side, which changes a whole gradient. So a run that misses the
    reference gets a second batch. Raises ParityFailed where it misses both.
    """

    def first(call: Callable[[], Any]) -> Any:
        start = time.monotonic()
        result = call()
        subject.adapter.synchronise()
        events.emit("first_step", seconds=time.monotonic() - start)
        return result

    observed = observe(subject, first)
    if subject.job.reference is None:
        return
    with numpy.load(subject.job.reference) as stored:
        result = compare(dict(stored), observed, subject.initial)
    events.emit("parity", **result)
    if not result["passed"]:
        _check_second_batch(subject, observe)


def _check_second_batch(subject: Subject, observe: Observe) -> None:
    """Compare another batch with its own reference, which is computed here.

    Raises ParityFailed.
    """
    adapter, job = subject.adapter, subject.job
    batch = adapter.batch(*fixed_batch.whole(job, draw=1))
    adapter.load(subject.initial)
    observed = observe(subject._replace(batch=batch), lambda call: call())
    result = compare(compute(job, observe, draw=1), observed, subject.initial)
    events.emit("parity", **result)
    if not result["passed"]:
        raise events.ParityFailed(_describe(result))


def _describe(result: Dict[str, Any]) -> str:
    """Say by how much and where a framework misses the reference, in one line."""
    beyond = [
        f"{quantity} off by {result[quantity]:.1e} (allowed {limit:.0e})"
        for quantity, limit in sorted(FLOAT32.items())
        if quantity in result and not result[quantity] <= limit
    ]
    if any(not result.get(name, 0) <= FLOAT32[name] for name in OF_TENSORS):
        beyond.append(f"worst tensor {result['worst_layer']}")
    return "; ".join(beyond)
