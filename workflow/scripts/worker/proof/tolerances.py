"""How far a run's first steps may be from the reference: relative errors by quantity.

In float32 they are fixed, unless numpy's own errors in float32 come near them: in DenseNet-161
rounding alone moves updates by 2e-2, since some of its millions of values lie so near to the kink
of a ReLU. In a narrow type they follow from the rounded reference's own errors
(worker.proof.rounded), by which deep networks differ even more. Each weight that is read back may
besides be off by what float32 rounds: see `unresolved`.
"""

from typing import Dict

import numpy

from worker.precisions import QUANTISED

FLOAT32 = {
    "logits": 1e-4,
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
"""Precisions whose rounding hides what the limits of float32 see: a run is proven in that first."""
LIMIT = "limit/{}/{}"
"""Under which a reference has the limit of a quantity in a precision."""

TIMES_OWN = 4
"""Frameworks' own errors in narrow types reach 2.8 times the rounded reference's."""

TELLING = 0.5
"""A limit beyond it tells hardly anything: at 1, a tensor that stays where it was passes."""

LEAST_NARROW = 1e-4
"""By narrow types logits are off by 6e-4 or more, by float32 by some 1e-6."""

QUANTISED_LIMITS = {"logits": TELLING}
"""What 8 bits cost depends on the network and its images: its accuracy tells that."""

LEAST_SHARE = 1e-3
"""Of the largest norm of all tensors: a smaller one counts as that. Some are 0 but for rounding, as
the gradient of a bias in front of a batch norm."""

ROUNDINGS = 2
"""Of a weight in one step: its decay and its update may be two operations."""


def limits(precision: str, reference: Dict[str, numpy.ndarray]) -> Dict[str, float]:
    """The limit of each quantity for a run in a precision, held against a reference."""
    if precision in QUANTISED:
        return QUANTISED_LIMITS
    of = precision if precision in NARROW else "float32"
    keys = {name: LIMIT.format(of, name) for name in FLOAT32}
    return {name: float(reference[key]) for name, key in keys.items() if key in reference}


def stored(precision: str, own: Dict[str, float]) -> Dict[str, numpy.ndarray]:
    """The limits of a precision as a reference has them, from numpy's own errors in it.

    Never below those of float32; infinite ones bind nothing. The loss is one number, in which
    errors may cancel by chance: it may be off by as much as the logits.
    """
    if "loss" in own:
        own = dict(own, loss=numpy.maximum(own["loss"], own["logits"]))
    found = {name: numpy.maximum(FLOAT32[name], TIMES_OWN * own[name]) for name in own}
    return {
        LIMIT.format(precision, name): numpy.asarray(limit if limit <= TELLING else numpy.inf)
        for name, limit in found.items()
    }


def unresolved(weights: numpy.ndarray) -> float:
    """The largest norm of what float32 rounds off a tensor's weights in one step.

    An update of size u beside a weight w is known to 2^-24 * |w|, half the distance of two numbers.
    """
    double = numpy.asarray(weights, numpy.float64)  # in which no square overflows
    return float(ROUNDINGS * 2.0**-24 * numpy.linalg.norm(double))
