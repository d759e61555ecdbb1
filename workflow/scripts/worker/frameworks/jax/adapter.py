"""JAX: one jitted training step that reuses its weights' memory, channels last."""

import os
from typing import Any, Dict, Iterator, List, Tuple

import jax
import jaxlib
import numpy
from jax import numpy as jnp

from worker import adapter, precisions, support
from worker.arrays import LabelledImages, Predictions, Weights, filled
from worker.devices import WHOLE, Part
from worker.frameworks.jax.devices import EACH, PARTS, Mesh
from worker.frameworks.jax.generation import Generator
from worker.frameworks.jax.layers import EVALUATION, training
from worker.frameworks.jax.optimiser import Moments, Optimiser
from worker.frameworks.jax.precision import Precision, types_of_products
from worker.frameworks.jax.releases import random_key, set_threads, use_onednn
from worker.input import dataset, readers
from worker.input.prefetch import prefetch
from worker.input.readers import tfrecord
from worker.job import Job
from worker.networks.neutral import channels_last
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import Kinds, forward
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "JAX"
FORMAT = "tfrecord"
COLOUR = "#832db6"
SEVERAL = ("cpu", "cuda", "rocm")
NODES = ("cpu", "cuda", "rocm")

PRECISIONS = {
    "cpu": ("float32", "bfloat16", "float16"),
    "cuda": ("float32", "tf32", "bfloat16", "float16"),
    "rocm": ("float32", "bfloat16", "float16"),
}
OPTIONS = {"inference_weights": "cast", "onednn": False}


Batch = Tuple[jax.Array, jax.Array, int]
"""Images (n, H, W, C) and labels (n, ...) on all devices, and the number before any padding."""

Values = Dict[str, jax.Array]


class Adapter(adapter.Adapter):
    """Jitted functions of a state: trained values, running statistics, momenta and random key.

    The state is on the devices of one node.
    """

    MESH = Mesh

    def __init__(self, job: Job, part: Part = WHOLE) -> None:
        self.job, self.part = job, part
        self.node_batch_size = job.batch_size // part[1]
        self.options = support.check(job, PRECISIONS, OPTIONS, several=SEVERAL, nodes=NODES)
        support.check_value("inference_weights", self.options, precisions.IN_INFERENCE)
        set_threads(job)
        if self.options["onednn"]:
            use_onednn(job)
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        self.precision = Precision(job, self.options)
        self.mesh = self.MESH(job)
        jax.config.update("jax_default_device", self.mesh.devices[0])

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.network, self.update_rule = network, update_rule
        self.optimiser = Optimiser(network, update_rule)
        self.state: List[Any] = []
        self.last_gradients: Values = {}
        self.predicted = jnp.zeros(())
        step = self.mesh.on_each(self._step, wholes=5, parts=2, result=EACH)
        passes = self.mesh.on_each(self._passes, wholes=3, parts=2, result=EACH)
        logits = self.mesh.on_each(self._logits, wholes=2, parts=1, result=PARTS)
        self.step, self.passes = jax.jit(step, donate_argnums=(0, 1, 2, 3)), jax.jit(passes)
        self.logits, self.pullback = jax.jit(logits), jax.jit(self._pullback)
        if self.job.stage == "generate":
            self.generator = Generator(self.job, network, self.precision.kinds)

    def load(self, weights: Weights) -> None:
        arrays = channels_last.from_neutral(self.network, weights)
        values = self.precision.cast(self.network, arrays)
        trainable = [w.name for w in self.network.trainable]
        trained = {name: values.pop(name) for name in trainable}
        moments = self.optimiser.moments(trained)
        state = [trained, values, moments, random_key(self.job.seed)]
        self.state = self.mesh.replicated(state)
        self.set_rate(self.update_rule.learning_rate)

    def set_rate(self, rate: float) -> None:
        self.rate = self.mesh.replicated(numpy.float32(rate))

    def weights(self) -> Weights:
        values, running, *_ = self.state
        return self._neutral(dict(values, **running))

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        trained, running, *_ = self.state
        arrays = [*trained.values(), *running.values()]
        return adapter.bytes_by_type((str(array.dtype), array.nbytes) for array in arrays)

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        count = len(labels)
        # The last test batch is filled up: the prediction is compiled for one size only.
        pixels = filled(self.precision.pixels(images.transpose(0, 2, 3, 1)), self.node_batch_size)
        labels = filled(labels.astype(numpy.int32), self.node_batch_size)
        return (*self.mesh.split((pixels, labels)), count)

    def batches(self, split: str) -> Iterator[Batch]:
        return prefetch(self._batches(split))

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.of_job(self.job)
        job = self.job._replace(seed=self.job.seed + self.part[0])
        read = readers.choose(tfrecord, index, job, part=self.part)
        return dataset.stream(read, index, split, self.job.batch_size)

    def train_step(self, batch: Batch) -> jax.Array:
        images, labels, count = batch
        assert count == self.node_batch_size
        *self.state, loss = self.step(*self.state, self.rate, images, labels)
        return loss

    def gradients(self, batch: Batch) -> jax.Array:
        images, labels, count = batch
        assert count == self.node_batch_size
        values, running, _, key = self.state
        (loss, _), self.last_gradients = self.passes(values, running, key, images, labels)
        return loss

    def gradient_arrays(self) -> Weights:
        return self._neutral(self.last_gradients)

    def predict(self, batch: Batch) -> Predictions:
        _, labels, count = batch
        logits = self.fetch(self.infer(batch))
        return logits[:count], self.mesh.local(labels).astype(numpy.int64)[:count]

    def infer(self, batch: Batch) -> jax.Array:
        self.predicted = self.logits(*self.state[:2], batch[0])
        return self.predicted

    def fetch(self, logits: jax.Array) -> numpy.ndarray:
        return self.mesh.local(logits)

    def prefill(self, batch: Batch) -> jax.Array:
        self.position = self.generator.prompt_tokens
        self.cache, self.last_logits, self.predicted = self.generator.prefill(
            self.state[0], batch[0]
        )
        return self.predicted

    def decode(self, tokens: Any) -> jax.Array:
        self.cache, self.last_logits, self.predicted = self.generator.decode(
            self.state[0], self.cache, tokens, self.position
        )
        self.position += 1
        return self.predicted

    def token_logits(self) -> numpy.ndarray:
        return self.mesh.local(self.last_logits)

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        images, _, count = batch
        # Attacks use one device, so batch_size equals node_batch_size, to which batch() pads.
        padded = filled(cotangents, self.job.batch_size)
        gradient = self.pullback(*self.state[:2], images, padded)
        return numpy.asarray(gradient).transpose(0, 3, 1, 2)[:count]

    def compute_types(self, batch: Batch) -> List[str]:
        images, labels, _ = batch
        values, running, _, key = self.state
        function, arguments = {
            "train": (self.step, (*self.state, self.rate, images, labels)),
            "gradients": (self.passes, (values, running, key, images, labels)),
            "infer": (self.logits, (values, running, images)),
            "attack": (self.logits, (values, running, images)),
            "generate": (self.logits, (values, running, images)),
        }[self.job.stage]
        return types_of_products(jax.make_jaxpr(function)(*arguments))

    def synchronise(self) -> None:
        """Wait for state, gradients and the last prediction; earlier predictions end before it."""
        jax.block_until_ready([self.state, self.last_gradients, self.predicted])

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "jax",
            "version": jax.__version__,
            "threads": int(os.environ["PJRT_NPROC"]),
            "libraries": {
                "jaxlib": jaxlib.__version__,
                "platform": self.mesh.devices[0].client.platform_version,
            },
            "flags": dict(self.options, XLA_FLAGS=os.environ.get("XLA_FLAGS", "")),
            "devices": [str(device) for device in self.mesh.devices],
            "device_batch_size": self.job.device_batch_size,
        }

    def _batches(self, split: str) -> Iterator[Batch]:
        index = dataset.of_job(self.job)
        mean, scale = numpy.float32(index["mean"]), numpy.float32(index["scale"])
        for stored in self.stored_batches(split):
            pixels, labels, count = self.batch(*stored)
            yield normalise(pixels, mean, scale), labels, count

    def _step(
        self,
        values: Values,
        running: Values,
        moments: Moments,
        key: jax.Array,
        rate: jax.Array,
        images: jax.Array,
        labels: jax.Array,
    ) -> Tuple[Values, Values, Moments, jax.Array, jax.Array]:
        """A step on one device's part of a batch; gradients are means over all devices."""
        key, step_key = jax.random.split(key)
        (loss, running), gradients = self._passes(values, running, step_key, images, labels)
        values, moments = self.optimiser.step(values, moments, rate, gradients)
        return values, running, moments, key, loss

    def _passes(
        self,
        values: Values,
        running: Values,
        key: jax.Array,
        images: jax.Array,
        labels: jax.Array,
    ) -> Tuple[Tuple[jax.Array, Values], Values]:
        """The loss, the moved running statistics, and the gradients."""
        assert len(labels) == self.job.device_batch_size
        gradient_of = self.precision.gradient_of(self._loss)
        own_key = self.mesh.own_key(key)
        return self.mesh.mean(gradient_of(values, running, own_key, images, labels))

    def _loss(
        self,
        values: Values,
        running: Values,
        key: jax.Array,
        images: jax.Array,
        labels: jax.Array,
    ) -> Tuple[jax.Array, Values]:
        moved = dict(values, **running)
        scores = jax.nn.log_softmax(self._forward(training(key), images, moved))
        loss = -jnp.take_along_axis(scores, labels[..., None], axis=-1).mean()
        return loss, {name: moved[name] for name in running}

    def _logits(self, values: Values, running: Values, images: jax.Array) -> jax.Array:
        return self._forward(EVALUATION, images, dict(values, **running))

    def _pullback(
        self, values: Values, running: Values, images: jax.Array, cotangents: jax.Array
    ) -> jax.Array:
        _, pullback = jax.vjp(lambda x: self._logits(values, running, x), images)
        (gradient,) = pullback(cotangents)
        return gradient

    def _forward(self, kinds: Kinds, images: jax.Array, values: Values) -> jax.Array:
        """The network's logits, cast to float32."""
        logits = forward(self.network, self.precision.kinds(kinds), images, values)
        return logits.astype(jnp.float32)

    def _neutral(self, values: Values) -> Weights:
        arrays = {name: numpy.array(value, numpy.float32) for name, value in values.items()}
        return channels_last.to_neutral(self.network, arrays)


@jax.jit
def normalise(pixels: jax.Array, mean: jax.Array, scale: jax.Array) -> jax.Array:
    """Normalise uint8 pixels (n, height, width, channels) to float32: (pixel - mean) * scale."""
    return (pixels.astype(jnp.float32) - mean) * scale
