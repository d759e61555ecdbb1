"""The relative error of each quantity of an observation, against the reference."""

from typing import Any, Dict

import numpy

from worker.arrays import Weights
from worker.proof.observe import Observation, relative_error, sample
from worker.proof.tolerances import FLOAT32


def compare(reference: Observation, observed: Observation, initial: Weights) -> Dict[str, Any]:
    """The relative error of each quantity, the worst tensor's name, and whether all are tolerable.

    Logits: largest difference over the largest logit. Loss: relative. Gradient norm: per tensor,
    over the reference's or a 10,000th of its largest one. Update: per tensor, norm of
    the difference over that of the reference or what float32 can resolve, in a sample of elements.
    """
    names = [key[len("update/") :] for key in reference if key.startswith("update/")]
    norms = reference["gradient_norm"]
    gradients = abs(observed["gradient_norm"] - norms) / numpy.maximum(norms, 1e-4 * norms.max())
    updates = [
        relative_error(observed["update/" + n], reference["update/" + n], sample(initial[n]))
        for n in names
    ]
    errors = {
        "logits": _largest_error(reference["logits"], observed["logits"]),
        "loss": float(abs(observed["loss"] / reference["loss"] - 1)),
        "gradient_norm": float(gradients.max()),
        "update": float(numpy.max(updates)),
        "momentum": float(observed["momentum"]),
        "logits_after": _largest_error(reference["logits_after"], observed["logits_after"]),
    }
    worst = int(numpy.argmax(numpy.maximum(gradients, updates)))
    passed = all(errors[quantity] <= limit for quantity, limit in FLOAT32.items())
    return dict(
        errors,
        error=float(numpy.max(list(errors.values()))),
        worst_layer=names[worst],
        passed=passed,
    )


def _largest_error(expected: numpy.ndarray, actual: numpy.ndarray) -> float:
    return float(numpy.max(numpy.abs(actual - expected)) / numpy.max(numpy.abs(expected)))
