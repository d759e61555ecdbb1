"""The relative error of each quantity of an observation, against the reference."""

from typing import Any, Dict, List

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
    errors: Dict[str, float] = {
        quantity: _largest_error(reference[quantity], observed[quantity])
        for quantity in ("logits", "logits_after")
        if quantity in reference
    }
    worst = None
    if "loss" in reference:
        errors["loss"] = float(abs(observed["loss"] / reference["loss"] - 1))
        by_tensor = _errors_of_tensors(reference, observed, initial)
        errors.update({name: float(numpy.max(found)) for name, found in by_tensor.items()})
        worst = _names(reference)[int(numpy.argmax(numpy.max(list(by_tensor.values()), axis=0)))]
    if "momentum" in reference:
        errors["momentum"] = float(observed["momentum"])
    return dict(
        errors,
        error=float(numpy.max(list(errors.values()))),
        worst_layer=worst,
        passed=all(error <= FLOAT32[quantity] for quantity, error in errors.items()),
    )


def _errors_of_tensors(
    reference: Observation, observed: Observation, initial: Weights
) -> Dict[str, numpy.ndarray]:
    """The errors of the gradients' norms and of their elements, or the updates', per tensor."""
    norms = reference["gradient_norm"]
    gradients = abs(observed["gradient_norm"] - norms) / numpy.maximum(norms, 1e-4 * norms.max())
    (kind,) = {key.partition("/")[0] for key in reference if "/" in key}
    elements = [
        relative_error(observed[f"{kind}/{n}"], reference[f"{kind}/{n}"], sample(initial[n]))
        for n in _names(reference)
    ]
    return {"gradient_norm": gradients, kind: numpy.array(elements)}


def _names(reference: Observation) -> List[str]:
    """The tensors of which there are elements."""
    return [key.partition("/")[2] for key in reference if "/" in key]


def _largest_error(expected: numpy.ndarray, actual: numpy.ndarray) -> float:
    return float(numpy.max(numpy.abs(actual - expected)) / numpy.max(numpy.abs(expected)))
