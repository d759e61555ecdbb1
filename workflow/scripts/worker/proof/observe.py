"""Observing a framework's first calls on the fixed batch, as the job's stage makes them.

An observation is a dict of numpy arrays. The float64 reference and frameworks have the same form.

stage infer      logits
stage attack     logits, input_gradient
stage gradients  logits, loss, gradient_norm, gradient
stage train      logits, loss, gradient_norm, update, momentum, logits_after
stage generate   logits, stepwise_logits

- logits (n, classes): evaluation mode, initial weights; of a language model up to LOGITS values,
  evenly spread, of (n, tokens, vocabulary)
- loss (): mean cross entropy of the first step, before its update, in training mode
- gradient_norm (trainable tensors,): Euclidean norm per tensor; stage train computes it from the
  first update
- gradient/<tensor>: up to SAMPLE elements, evenly spread, of the gradient
- update/<tensor>: up to SAMPLE elements, evenly spread, of the tensor's move in the first step
- momentum (): the difference between the second step and the step that the update rule makes from
  both steps' gradients, relative to the first step
- input_gradient (n, values): the gradient by each image, for random cotangents of the logits; up to
  SAMPLE values of each image, evenly spread
- stepwise_logits: like logits, but behind the prompts token by token, by what was kept of earlier
  tokens; the reference has those of one pass over the whole texts
- logits_after: like logits, after the first step, with updated running statistics
"""

from typing import Any, Callable, Dict, List, NamedTuple

import numpy

from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.input.fixed_batch import distinct_images
from worker.job import Job
from worker.networks.neutral import update_rule
from worker.networks.neutral.builder import Network, Weight
from worker.networks.neutral.update_rule import UpdateRule
from worker.proof import first_steps
from worker.proof.tolerances import LEAST_SHARE, unresolved

SAMPLE = 4096
LOGITS = 2**20
"""The most logits of a language model that are compared."""

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
        return self.network.trainable

    @property
    def trainable(self) -> List[str]:
        """The names of the trainable tensors."""
        return [weight.name for weight in self.trained]

    @property
    def update_rule(self) -> UpdateRule:
        """The update rule of the observed steps: the job's, in its form for the proof."""
        return update_rule.of_job(self.job).for_proof()

    @property
    def distinct(self) -> int:
        """The number of distinct images; they are the first ones of the batch."""
        return distinct_images(self.job)


First = Callable[[Callable[[], Any]], Any]
"""A function that makes the first of a stage's timed calls, and may time it; returns its result."""


Observe = Callable[[Subject, First], Observation]
"""A function that makes a stage's observation: one of those below."""


def prediction(subject: Subject, first: First) -> Observation:
    """The logits of stage infer."""
    adapter, batch = subject.adapter, subject.batch
    logits = first(lambda: adapter.fetch(adapter.infer(batch)))
    return {"logits": sampled(logits[: subject.distinct])}


def generation(subject: Subject, first: First) -> Observation:
    """The logits of stage generate, of one pass over whole texts and token by token."""
    adapter, batch, count = subject.adapter, subject.batch, subject.distinct
    predictions = adapter.predict(batch)
    stepwise = adapter.stepwise_logits(batch, predictions, first)
    return {
        "logits": sampled(predictions[0][:count]),
        "stepwise_logits": sampled(stepwise[:count]),
    }


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
    logits = sampled(adapter.predict(batch)[0][: subject.distinct])
    loss = float(first(lambda: adapter.gradients(batch)))
    arrays = {name: _double(array) for name, array in adapter.gradient_arrays().items()}
    norms = [numpy.linalg.norm(arrays[name]) for name in subject.trainable]
    observation = {"logits": logits, "loss": loss, "gradient_norm": norms}
    for name in subject.trainable:
        observation["gradient/" + name] = sample(arrays[name])
    return {name: numpy.asarray(value) for name, value in observation.items()}


def training(subject: Subject, first: First) -> Observation:
    """Logits before and after a first training step, its loss and updates, and momentum's error.

    All steps use the job's update rule in its form for the proof.
    """
    adapter, _, initial, batch, _ = subject
    count, trainable = subject.distinct, subject.trainable
    logits = sampled(adapter.predict(batch)[0][:count])
    loss = float(first(lambda: adapter.train_step(batch)))
    after = adapter.weights()
    logits_after = sampled(adapter.predict(batch)[0][:count])
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
    """The norm of a gradient without weight decay, from the tensor's move in the first step."""
    with_decay = first_steps.gradient(update_rule, weight, move)
    return float(numpy.linalg.norm(with_decay - update_rule.decay(weight) * before))


def _momentum_error(subject: Subject, after: Weights, moves: Weights) -> float:
    """Do the second step twice, with the first step's momentum and without; return the error.

    The step without momentum gives the second gradient. From the first and the second gradient, the
    update rule gives the expected step with momentum. The reference has no part in this, because
    rounding changes second gradients too much.
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
    return float(numpy.max(errors))  # unlike max(), numpy.max() keeps NaN


def excess(difference: numpy.ndarray, resolution: float) -> float:
    """The part of a difference's norm beyond the resolution, at least 0; NaN stays NaN."""
    return float(numpy.maximum(numpy.linalg.norm(difference) - resolution, 0))


def sample(array: numpy.ndarray, count: int = SAMPLE) -> numpy.ndarray:
    """Up to `count` elements of a tensor, evenly spread."""
    flat = array.reshape(-1)
    return flat[:: -(-flat.size // count)]


def sampled(logits: numpy.ndarray) -> numpy.ndarray:
    """The logits; of a language model, whose logits have three axes, a sample of them."""
    return sample(logits, LOGITS) if logits.ndim == 3 else numpy.asarray(logits)


def _double(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.asarray(array, numpy.float64)
