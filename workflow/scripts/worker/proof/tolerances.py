"""Limits of the relative errors of a run's first steps against the reference, by quantity.

In float32 the limits are fixed, unless numpy's errors in float32 come near them: in DenseNet-161
rounding alone moves updates by 2e-2, since some of its millions of values are so near to the kink
of a ReLU. In a narrow type the limits follow from the errors of the rounded reference
(worker.proof.rounded), as these errors differ even more between deep networks. In any type, each
weight that is read back may also be off by the rounding of float32: see `unresolved`.
"""

from typing import Dict

import numpy

from worker.job import Job
from worker.precisions import QUANTISED

FLOAT32 = {
    "logits": 1e-4,
    "stepwise_logits": 1e-4,
    "loss": 1e-5,
    "gradient_norm": 1e-2,
    "gradient": 2e-2,
    "input_gradient": 2e-2,
    "update": 2e-2,
    "weight_decay": 0.5,
    "momentum": 2e-2,
    "logits_after": 1e-2,
}
NARROW = ("bfloat16", "float16", "tf32")
IN_FLOAT32_FIRST = (*NARROW, *QUANTISED)
"""Precisions whose rounding hides errors that float32's limits show: float32 is proven first."""
LIMIT = "limit/{}/{}"
"""The name of a limit among a reference's arrays, by precision and quantity."""

TIMES_NUMPY = 4
"""A limit as a multiple of numpy's error; frameworks' errors in narrow types reach 2.8 times it."""

NARROW_ROUNDING = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "tf32": 2.0**-11}
"""The largest relative error of rounding to a narrow type."""

LEAST_NARROW_ROUNDINGS = 2
"""numpy's error in a narrow type counts as so many roundings at least: in networks of few values it
is smaller by chance."""

TELLING = 0.5
"""A larger limit hardly proves anything: at 1, a tensor that doesn't move passes."""

LEAST_NARROW = 1e-5
"""Logits with a smaller relative error were computed in float32, where it is some 1e-6. In narrow
types it is 2e-5 or more, in networks that are studied 6e-4."""

WIDE = {"logits": TELLING}
"""Limits of 8 bits and of narrow sums, whose errors depend on the network and its images; the
accuracy shows them."""

LEAST_SHARE = 1e-3
"""The least norm by which a tensor's error is divided, as a share of the largest tensor's norm.
Some norms are 0 except for rounding, such as the gradient's norm of a bias before a batch norm."""

WEIGHT_ROUNDINGS = 2
"""The roundings of a weight in one step: its decay and its update may be two operations."""


def limits(precision: str, reference: Dict[str, numpy.ndarray]) -> Dict[str, float]:
    """The limit of each quantity for a run in a precision, by a reference."""
    if precision in QUANTISED:
        return WIDE
    reference_precision = precision if precision in NARROW else "float32"
    keys = {name: LIMIT.format(reference_precision, name) for name in FLOAT32}
    return {name: float(reference[key]) for name, key in keys.items() if key in reference}


def of_logits(job: Job) -> float:
    """The limit of a job's logits; float32's for a job without a reference."""
    if job.reference is None:
        return FLOAT32["logits"]
    with numpy.load(job.reference) as reference:
        return limits(job.precision, dict(reference))["logits"]


def stored(precision: str, errors: Dict[str, float]) -> Dict[str, numpy.ndarray]:
    """The limits of a precision, from numpy's errors in it, in the form of a reference's arrays.

    No limit is below float32's, or below that of LEAST_NARROW_ROUNDINGS. An infinite limit means
    that the quantity isn't checked. Errors of the loss, a single number, may cancel by chance: its
    limit is at least that of the logits.
    """
    if "loss" in errors:
        errors = dict(errors, loss=numpy.maximum(errors["loss"], errors["logits"]))
    least = LEAST_NARROW_ROUNDINGS * NARROW_ROUNDING.get(precision, 0.0)
    limits = {
        name: numpy.maximum(FLOAT32[name], TIMES_NUMPY * numpy.maximum(error, least))
        for name, error in errors.items()
    }
    return {
        LIMIT.format(precision, name): numpy.asarray(limit if limit <= TELLING else numpy.inf)
        for name, limit in limits.items()
    }


def unresolved(weights: numpy.ndarray) -> float:
    """The largest norm of float32's rounding errors of a tensor's weights in one step.

    An update of a weight w is exact to 2^-24 * |w|, half the distance of two float32 numbers.
    """
    double = numpy.asarray(weights, numpy.float64)  # no square overflows
    return float(WEIGHT_ROUNDINGS * 2.0**-24 * numpy.linalg.norm(double))
