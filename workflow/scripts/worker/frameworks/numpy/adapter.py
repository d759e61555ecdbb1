"""NumPy: the float64 reference of all other frameworks, and the smallest adapter."""

import platform
from typing import Any, Dict, Iterator, List, Tuple

import numpy

from worker import adapter, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.frameworks.numpy import layers
from worker.frameworks.numpy.kinds import KINDS
from worker.frameworks.numpy.optimiser import Optimiser
from worker.input import dataset, readers
from worker.job import Job
from worker.networks.neutral.builder import BATCH_NORM_MOMENTUM, Layer, Network
from worker.networks.neutral.forward import of_kind
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "NumPy (reference)"
FORMAT = "lmdb"
COLOUR = "#717581"

TYPES = {"float32": numpy.float32, "float64": numpy.float64}
PRECISIONS = {"cpu": ("float32", "float64")}
MISSING = {
    "float16": "NumPy has no fast products of float16",
    "bfloat16": "NumPy has no bfloat16",
}


Backwards = List[Tuple[Layer, layers.Backward]]
"""The backward pass of each layer, in the order of the forward passes."""


class Adapter(adapter.Adapter):
    """Plain numpy on the CPU, in float32 or float64."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job
        self.type = TYPES[job.precision]
        numpy.random.seed(job.seed)

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.network, self.update_rule = network, update_rule
        self.layers = network.layers[1:]

    def load(self, weights: Weights) -> None:
        self.values = {name: array.astype(self.type) for name, array in weights.items()}
        self.optimiser = Optimiser(self.network, self.update_rule, self.values)

    def set_rate(self, rate: float) -> None:
        self.optimiser.rate = rate

    def weights(self) -> Weights:
        return {name: array.copy() for name, array in self.values.items()}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return images.astype(self.type), labels

    def batches(self, split: str) -> Iterator[LabelledImages]:
        normalised = dataset.normalised(self.stored_batches(split), dataset.of_job(self.job))
        return (self.batch(*batch) for batch in normalised)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        # Imported here: where this adapter is only the reference, lmdb may be missing.
        from worker.input.readers import lmdb

        index = dataset.of_job(self.job)
        read = readers.choose(lmdb, index, self.job)
        return dataset.stream(read, index, split, self.job.batch_size)

    def train_step(self, batch: LabelledImages) -> float:
        loss = self.gradients(batch)
        self._update(self.last_gradients)
        return loss

    def gradients(self, batch: LabelledImages) -> float:
        images, labels = batch
        logits, backwards = self._forward(images, training=True)
        loss, gradient = layers.cross_entropy(logits, labels)
        _, self.last_gradients = self._backward(gradient, backwards)
        return loss

    def gradient_arrays(self) -> Weights:
        return self.last_gradients

    def predict(self, batch: LabelledImages) -> Predictions:
        return self.infer(batch), batch[1]

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        images, _ = batch
        return self._forward(images, training=False)[0]

    def stepwise_logits(
        self, batch: LabelledImages, predictions: Predictions, first: Any
    ) -> numpy.ndarray:
        """Those of one pass over the whole texts: what other frameworks' are compared with."""
        return predictions[0]

    def fetch(self, logits: numpy.ndarray) -> numpy.ndarray:
        return logits

    def input_gradient(self, batch: LabelledImages, cotangents: numpy.ndarray) -> numpy.ndarray:
        _, backwards = self._forward(batch[0], training=False)
        return self._backward(cotangents.astype(self.type), backwards)[0]

    def synchronise(self) -> None:
        """Nothing runs asynchronously."""

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "numpy",
            "version": numpy.__version__,
            "threads": self.job.threads,
            "libraries": {"python": platform.python_version()},
            "flags": {},
            "devices": ["cpu"],
            "device_batch_size": self.job.batch_size,
        }

    def _forward(self, images: numpy.ndarray, training: bool) -> Tuple[numpy.ndarray, Backwards]:
        outputs, backwards = {"input": images}, []
        for layer in self.layers:
            inputs = [outputs[name] for name in layer.inputs]
            weights = {weight.role: self.values[weight.name] for weight in layer.weights}
            if training and layer.kind == "batch_norm":
                self._track(layer, inputs[0])
            outputs[layer.name], backward = self._passes(layer, inputs, weights, training)
            backwards.append((layer, backward))
        return outputs[self.layers[-1].name], backwards

    def _passes(
        self, layer: Layer, inputs: layers.Inputs, weights: layers.ByRole, training: bool
    ) -> layers.Passes:
        passes: layers.Passes = of_kind(KINDS, layer)(layer.settings, inputs, weights, training)
        return passes

    def _backward(
        self, gradient: numpy.ndarray, backwards: Backwards
    ) -> Tuple[numpy.ndarray, Weights]:
        """The gradients by the images and by the weights, from the gradient by the logits."""
        by_layer = {self.layers[-1].name: gradient}
        by_weight: Dict[str, Any] = {}
        for layer, backward in reversed(backwards):
            inputs, roles = backward(by_layer.pop(layer.name))
            for name, part in zip(layer.inputs, inputs):
                by_layer[name] = by_layer[name] + part if name in by_layer else part
            for weight in layer.weights:
                if weight.role in roles:  # a weight of several layers has the sum of theirs
                    by_weight[weight.name] = by_weight.get(weight.name, 0) + roles[weight.role]
        return by_layer["input"], by_weight

    def _update(self, gradients: Weights) -> None:
        self.optimiser.step(gradients)

    def _track(self, layer: Layer, x: numpy.ndarray) -> None:
        """Move the running statistics; the batch counts as full even where its images repeat."""
        mean, variance = layers.batch_statistics(x)
        count = self.job.batch_size * x.shape[2] * x.shape[3]
        batch = {"running_mean": mean, "running_variance": variance * count / (count - 1)}
        for role, value in batch.items():
            name = layer.name + "/" + role
            running = BATCH_NORM_MOMENTUM * self.values[name] + (1 - BATCH_NORM_MOMENTUM) * value
            self.values[name] = running.astype(self.type)
