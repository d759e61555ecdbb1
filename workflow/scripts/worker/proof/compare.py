"""The relative error of each quantity of an observation against the reference."""

from typing import Dict, List, Optional, Tuple

import numpy

from worker.proof import first_steps
from worker.proof.observe import Observation, Subject, excess, sample
from worker.proof.tolerances import LEAST_SHARE, unresolved

TINY = float(numpy.finfo(numpy.float32).tiny)

Errors = Dict[str, float]
"""Relative errors by quantity."""


def compare(
    reference: Observation, observed: Observation, subject: Subject
) -> Tuple[Errors, Optional[str]]:
    """The relative error of each quantity that the reference has, and the worst tensor's name.

    Logits: the largest difference, divided by the largest logit. Loss: the difference, divided by
    the reference's loss or by 1 if that is larger. Gradient norm, gradient and update: per tensor,
    divided by the reference's norm or by LEAST_SHARE of the largest norm if that is larger; where
    gradients are read from weights, float32's rounding of the weights is subtracted first. Input
    gradient: divided by the reference's norm. Weight decay: see _decay_error.
    """
    errors: Errors = {
        quantity: _largest_error(reference[quantity], observed[quantity])
        for quantity in ("logits", "logits_after", "stepwise_logits")
        if quantity in reference
    }
    worst: Optional[str] = None
    if "loss" in reference:
        expected = float(reference["loss"])
        errors["loss"] = abs(float(observed["loss"]) - expected) / max(expected, 1.0)
        by_tensor = _errors_of_tensors(reference, observed, subject)
        errors.update({name: float(numpy.max(values)) for name, values in by_tensor.items()})
        worst_index = int(numpy.argmax(numpy.max(list(by_tensor.values()), axis=0)))
        worst = subject.trainable[worst_index]
    if "input_gradient" in reference:
        gradients = reference["input_gradient"], observed["input_gradient"]
        errors["input_gradient"] = _relative_norm(*gradients)
    if "momentum" in reference:
        errors["momentum"] = float(observed["momentum"])
        errors["weight_decay"] = _decay_error(reference, observed, subject)
    return errors, worst


def _largest_error(expected: numpy.ndarray, actual: numpy.ndarray) -> float:
    largest = max(float(numpy.max(numpy.abs(expected))), TINY)  # all expected values may be 0
    return float(numpy.max(numpy.abs(actual - expected)) / largest)


def _relative_norm(expected: numpy.ndarray, actual: numpy.ndarray) -> float:
    """The norm of the difference, divided by the expected norm, which may be 0."""
    expected_norm = max(float(numpy.linalg.norm(expected)), TINY)
    return float(numpy.linalg.norm(actual - expected)) / expected_norm


def _errors_of_tensors(
    reference: Observation, observed: Observation, subject: Subject
) -> Dict[str, numpy.ndarray]:
    """Per tensor, the errors of gradient norms and of the elements of gradients or updates."""
    kind, names, initial = _kind(reference), subject.trainable, subject.initial
    is_read_from_weights = kind == "update"
    norms = reference["gradient_norm"]
    resolved = [
        unresolved(initial[weight.name]) / first_steps.slope(subject.update_rule, weight)
        if is_read_from_weights
        else 0.0
        for weight in subject.trained
    ]
    differences = numpy.maximum(abs(observed["gradient_norm"] - norms) - resolved, 0)
    sizes = [float(numpy.linalg.norm(reference[f"{kind}/{name}"])) for name in names]
    least = LEAST_SHARE * max(sizes)
    elements = [
        excess(
            observed[f"{kind}/{name}"] - reference[f"{kind}/{name}"],
            unresolved(sample(initial[name])) if is_read_from_weights else 0.0,
        )
        / max(size, least)
        for name, size in zip(names, sizes)
    ]
    return {
        "gradient_norm": differences / numpy.maximum(norms, LEAST_SHARE * norms.max()),
        kind: numpy.array(elements),
    }


def _decay_error(reference: Observation, observed: Observation, subject: Subject) -> float:
    """The error of the first step along the vector of all weights, relative to the weight decay.

    Decay moves weights along this vector; other errors hardly do. The difference is divided by the
    decay's move, or by LEAST_SHARE of the whole update if that is larger.
    """
    update_rule, samples = (
        subject.update_rule,
        [sample(subject.initial[n]) for n in subject.trainable],
    )
    weights = _double(samples)
    expected = _double([reference["update/" + name] for name in subject.trainable])
    actual = _double([observed["update/" + name] for name in subject.trainable])
    length = float(numpy.linalg.norm(weights))
    decay = sum(
        first_steps.slope(update_rule, weight) * update_rule.decay(weight) * _square(values)
        for weight, values in zip(subject.trained, samples)
    )
    scale = max(decay, LEAST_SHARE * length * float(numpy.linalg.norm(expected)), TINY)
    return excess(weights @ (actual - expected), unresolved(weights) * length) / scale


def _kind(reference: Observation) -> str:
    """The kind of tensor that an observation has elements of: "update" or "gradient"."""
    return "update" if "momentum" in reference else "gradient"


def _square(array: numpy.ndarray) -> float:
    """The sum of squares in float64, where no square overflows."""
    return float(numpy.square(array, dtype=numpy.float64).sum())


def _double(arrays: List[numpy.ndarray]) -> numpy.ndarray:
    return numpy.concatenate(arrays).astype(numpy.float64)
