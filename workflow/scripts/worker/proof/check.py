"""The parity check of a run before it is timed: its first steps against the reference's."""

import time
from typing import Any, Callable, Dict

import numpy

from worker import events
from worker.input import fixed_batch
from worker.proof import tolerances
from worker.proof.compare import compare
from worker.proof.observe import Observation, Observe, Subject
from worker.proof.reference import compute

OF_TENSORS = {"gradient_norm", "gradient", "update"}
"""The quantities that are compared tensor by tensor."""


def check(subject: Subject, observe: Observe) -> None:
    """Time the first call of a stage and, if the job has a reference, compare its results.

    A value may be so near to the kink of a ReLU, or to a tie in a pooling window, that float32
    rounds it to the other side, which changes a whole gradient. So a run that misses the reference
    gets a second batch. Raises ParityFailed if the run misses both references, or if it was to
    compute in a narrow type but did in float32. A narrow type's reference has float32's limits too.
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
        result = judge(dict(stored), observed, subject)
    events.emit("parity", **result)
    if not result["passed"]:
        _check_second_batch(subject, observe)


def judge(reference: Observation, observed: Observation, subject: Subject) -> Dict[str, Any]:
    """The fields of the `parity` event: errors and limits by quantity, and whether all passed.

    error: the largest error that has a finite limit; worst_layer: the tensor with the largest
    error. Raises ParityFailed if logits are as exact as in float32, but another type was requested.
    An error of exactly 0 is of logits that all are 0, in any type.
    """
    precision = subject.job.precision
    errors, worst = compare(reference, observed, subject)
    least = min(errors[name] for name in ("logits", "stepwise_logits") if name in errors)
    if precision in tolerances.IN_FLOAT32_FIRST and 0 < least < tolerances.LEAST_NARROW:
        raise events.ParityFailed(
            f"{precision} was requested but computed in float32: "
            f"logits off by {least:.1e}, at least {tolerances.LEAST_NARROW:.0e} expected"
        )
    are_wide = subject.adapter.sums_are_narrow
    all_limits = tolerances.WIDE if are_wide else tolerances.limits(precision, reference)
    limits = {quantity: all_limits[quantity] for quantity in errors}
    return dict(
        errors,
        limits=limits,
        error=float(numpy.max([errors[name] for name in errors if limits[name] < numpy.inf])),
        worst_layer=worst,
        passed=all(error <= limits[quantity] for quantity, error in errors.items()),
    )


def _check_second_batch(subject: Subject, observe: Observe) -> None:
    """Compare another batch with its own reference, which is computed here; raises ParityFailed.

    Like the first, this reference has the network before folding, so folding is proven, too.
    """
    adapter, initial, job = subject.adapter, subject.initial, subject.job
    second = subject._replace(batch=adapter.batch(*fixed_batch.whole(job, draw=1)))
    adapter.load(initial)
    observed = observe(second, lambda call: call())
    result = judge(compute(job, observe, draw=1), observed, second)
    events.emit("parity", **result)
    if not result["passed"]:
        raise events.ParityFailed(_describe(result))


def _describe(result: Dict[str, Any]) -> str:
    """One line that names each quantity beyond its limit, and the worst tensor."""
    limits = result["limits"]
    beyond = [name for name in sorted(limits) if not result[name] <= limits[name]]
    clauses = [f"{name} off by {result[name]:.1e} (allowed {limits[name]:.0e})" for name in beyond]
    if OF_TENSORS & set(beyond):
        clauses.append(f"worst tensor {result['worst_layer']}")
    return "; ".join(clauses)
