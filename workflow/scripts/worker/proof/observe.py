"""Observing a framework's first calls on the fixed batch, those of the job's stage.

An observation is a dict of numpy arrays, in one form for the float64 reference and for frameworks.
Stage infer has the logits; stage attack logits and input gradient; stage gradients logits, loss,
gradient norms and gradients; stage train all but the gradients:

- logits (n, classes): evaluation mode, initial weights
- loss (): mean cross entropy of the first step, before its update, in training mode
- gradient_norm (trainable tensors,): Euclidean norm per tensor, in training from the first update
- gradient/<tensor>: up to SAMPLE elements, evenly spread, of the gradient
- update/<tensor>: up to SAMPLE elements, evenly spread, of the tensor's move in the first step
- momentum (): how far the second step is from what the update rule makes of both steps' gradients,
  relative to the first one
- input_gradient (n, values): of up to SAMPLE values of each image, evenly spread, for random
  cotangents of the logits
- logits_after (n, classes): evaluation mode, after the first step, so with moved running statistics
"""

from typing import Any, Callable, Dict, List, NamedTuple

import numpy

from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.input.fixed_batch import distinct_images
from worker.job import Job
from worker.networks.neutral import update_rule
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network, Weight
from worker.networks.neutral.update_rule import UpdateRule
from worker.proof import first_steps
from worker.proof.tolerances import LEAST_SHARE, unresolved

SAMPLE = 4096

Observation = Dict[str, numpy.ndarray]
"""Arrays by name, as listed above."""


class Subject(NamedTuple):
    """An observed adapter with a network's initial weights, and its fixed batch."""

    adapter: Adapter
    network: Network
    initial: Weights
    batch: Batch
    job: Job

    @property
    def trained(self) -> List[Weight]:
        """The trainable tensors."""
        return [w for w in self.network.weights if w.role in TRAINABLE_ROLES]

    @property
    def trainable(self) -> List[str]:
        """The names of the trainable tensors."""
        return [weight.name for weight in self.trained]

    @property
    def update_rule(self) -> UpdateRule:
        """How the steps that are observed update weights."""
        return update_rule.of_job(self.job).for_proof()

    @property
    def distinct(self) -> int:
        """The number of distinct images, which the batch begins with."""
        return distinct_images(self.job.device_batch_size)


First = Callable[[Callable[[], Any]], Any]
"""Makes the first of the calls that a stage times, and times it if need be."""


Observe = Callable[[Subject, First], Observation]
"""The observation of a stage: one of the functions below."""


def prediction(subject: Subject, first: First) -> Observation:
    """The logits of stage infer."""
    adapter, batch = subject.adapter, subject.batch
    logits = first(lambda: adapter.fetch(adapter.infer(batch)))
    return {"logits": numpy.asarray(logits[: subject.distinct])}


def attack(subject: Subject, first: First) -> Observation:
    """The logits of a prediction, and their gradient by the images."""
    adapter, batch = subject.adapter, subject.batch
    logits = adapter.fetch(adapter.infer(batch))
    count, classes = subject.distinct, logits.shape[1]
    distinct = numpy.random.RandomState(subject.job.seed).normal(size=(count, classes))
    cotangents = numpy.resize(distinct, logits.shape).astype(numpy.float32)  # repeated like images
    gradient = first(lambda: adapter.input_gradient(batch, cotangents))[:count]
    return {
        "logits": numpy.asarray(logits[:count]),
        "input_gradient": numpy.array([sample(image) for image in gradient], numpy.float64),
    }


def gradients(subject: Subject, first: First) -> Observation:
    """Logits, and loss and gradients of stage gradients."""
    adapter, batch = subject.adapter, subject.batch
    logits = adapter.predict(batch)[0][: subject.distinct]
    loss = float(first(lambda: adapter.gradients(batch)))
    arrays = {name: _double(array) for name, array in adapter.gradient_arrays().items()}
    norms = [numpy.linalg.norm(arrays[name]) for name in subject.trainable]
    observation = {"logits": logits, "loss": loss, "gradient_norm": norms}
    for name in subject.trainable:
        observation["gradient/" + name] = sample(arrays[name])
    return {name: numpy.asarray(value) for name, value in observation.items()}


def training(subject: Subject, first: First) -> Observation:
    """A first training step and two versions of the second one.

    By the job's update rule, in the form that it has for the proof.
    """
    adapter, _, initial, batch, _ = subject
    count, trainable = subject.distinct, subject.trainable
    logits = adapter.predict(batch)[0][:count]
    loss = float(first(lambda: adapter.train_step(batch)))
    after = adapter.weights()
    logits_after = adapter.predict(batch)[0][:count]
    moves = {name: _double(after[name]) - initial[name] for name in trainable}
    observation = {
        "logits": logits,
        "loss": loss,
        "gradient_norm": [
            _gradient_norm(subject.update_rule, weight, initial[weight.name], moves[weight.name])
            for weight in subject.trained
        ],
        "momentum": _momentum_error(subject, after, moves),
        "logits_after": logits_after,
    }
    for name in trainable:
        observation["update/" + name] = sample(moves[name])
    return {name: numpy.asarray(value) for name, value in observation.items()}


def _gradient_norm(
    update_rule: UpdateRule, weight: Weight, before: numpy.ndarray, move: numpy.ndarray
) -> float:
    """The norm of a gradient, read from the first step, without weight decay."""
    decayed = first_steps.gradient(update_rule, weight, move)
    return float(numpy.linalg.norm(decayed - update_rule.decay(weight) * before))


def _momentum_error(subject: Subject, after: Weights, moves: Weights) -> float:
    """Take the second step twice, with the first step's velocity and without.

    The second one tells the gradient of both, so the first must be what the update rule makes of
    that and of the first step's. The reference isn't compared: second gradients are chaotic.
    """
    adapter, batch, update_rule = subject.adapter, subject.batch, subject.update_rule
    adapter.train_step(batch)
    carried = adapter.weights()
    adapter.load(after)
    adapter.train_step(batch)
    restarted = adapter.weights()
    least = LEAST_SHARE * max(map(numpy.linalg.norm, moves.values()))
    errors = []
    for weight in subject.trained:
        name, move = weight.name, moves[weight.name]
        second = _double(restarted[name]) - after[name]
        gradients = [first_steps.gradient(update_rule, weight, each) for each in (move, second)]
        expected = first_steps.second_move(update_rule, weight, *gradients)
        difference = _double(carried[name]) - after[name] - expected
        resolution = sum(unresolved(read[name]) for read in (after, carried, restarted))
        errors.append(excess(difference, resolution) / max(numpy.linalg.norm(move), least))
    return float(numpy.max(errors))  # which, unlike max, loses no NaN


def excess(difference: numpy.ndarray, resolution: float) -> float:
    """The part of a difference's norm beyond the resolution, at least 0; NaN stays NaN."""
    return float(numpy.maximum(numpy.linalg.norm(difference) - resolution, 0))


def sample(array: numpy.ndarray) -> numpy.ndarray:
    """Up to SAMPLE elements of a tensor, evenly spread."""
    flat = array.reshape(-1)
    return flat[:: max(1, flat.size // SAMPLE)][:SAMPLE]


def _double(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.asarray(array, numpy.float64)
