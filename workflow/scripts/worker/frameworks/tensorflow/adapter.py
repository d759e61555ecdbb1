"""TensorFlow: a training step and a prediction as graphs, channels last, data by tf.data."""

import os
from functools import partial
from typing import Any, Dict, Iterator, List, Optional, Tuple

# TensorFlow reads this variable when it is imported.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy
import tensorflow as tf

from worker import adapter, events, precisions, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.devices import WHOLE, Part
from worker.frameworks.tensorflow import reader, releases
from worker.frameworks.tensorflow.average import Average
from worker.frameworks.tensorflow.devices import Replicas
from worker.frameworks.tensorflow.generation import Generator
from worker.frameworks.tensorflow.layers import EVALUATION, TRAINING, compiled
from worker.frameworks.tensorflow.optimiser import Optimiser
from worker.frameworks.tensorflow.precision import Precision, types_of_products
from worker.input import dataset
from worker.job import Job
from worker.libraries import onednn
from worker.networks.neutral import channels_last
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import Kinds, forward
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "TensorFlow"
FORMAT = "tfrecord"
COLOUR = "#ffa90e"
SEVERAL = ("cpu", "cuda")
NODES = ("cpu", "cuda")

PRECISIONS = {
    "cpu": ("float32", "bfloat16", "float16"),
    "cuda": ("float32", "tf32", "bfloat16", "float16"),
}
OPTIONS = {
    "jit_compile": False,
    "inference_weights": "cast",
    "use_onednn": "default",
    "weight_average": 0.0,
}
LIBRARIES = ("cuda_version", "cudnn_version")


Batch = Tuple[tf.Tensor, tf.Tensor]
"""Images (n, H, W, C) and labels (n, ...); on several devices, the parts of all devices."""


class Adapter(adapter.Adapter):
    """Variables for weights, running statistics and momenta, and graphs that share the variables.

    On several nodes, each adapter has one device, with that device's part of each batch.
    """

    def __init__(self, job: Job, part: Part = WHOLE) -> None:
        self.job, self.part = job, part
        self.options = support.check(job, PRECISIONS, OPTIONS, several=SEVERAL, nodes=NODES)
        onednn.check(job, self.options, tf.__version__)
        support.check_value("inference_weights", self.options, precisions.IN_INFERENCE)
        support.check_average(job, self.options)
        if self.options["jit_compile"] and job.stage == "generate":
            raise events.Unsupported("option jit_compile is not for stage generate")
        tf.config.threading.set_intra_op_parallelism_threads(job.threads)
        tf.config.threading.set_inter_op_parallelism_threads(job.threads)
        releases.set_tf32(job.precision == "tf32")
        tf.random.set_seed(job.seed + part[0])
        self.replicas = self.replicated()
        self.precision = Precision(job, self.options)
        kinds = (TRAINING, EVALUATION)
        if self.options["jit_compile"]:
            kinds = (compiled(TRAINING), compiled(EVALUATION))
        self.training, self.evaluation = map(self.precision.kinds, kinds)
        channels, height, width = job.image_shape
        self.image_shape = (height, width, channels)

    def replicated(self) -> Replicas:
        """The devices and their strategy."""
        return Replicas(self.job, self.options)

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.network = network
        shapes = channels_last.shapes(network)
        trained = network.trainable
        self.trainable = [weight.name for weight in trained]
        variable, statistic = self.replicas.variable, self.replicas.statistic
        types = self.precision.of_weights(network)
        self.values = {
            name: variable(shape, types[name]) if name in self.trainable else statistic(shape)
            for name, shape in shapes.items()
        }
        self.optimiser = Optimiser(update_rule, trained, shapes, variable)
        decay = self.options["weight_average"]
        averaged = {name: self.values[name] for name in self.trainable}
        self.average = Average(averaged, decay) if decay else None
        part = tf.TensorSpec((None, *self.image_shape), self.precision.images)
        images = [part] * len(self.replicas.names)
        jit = {releases.JIT_COMPILE: self.options["jit_compile"]}
        function = partial(tf.function, autograph=False, **jit)
        self.step, self.passes = function(self._step), function(self._passes)
        self.logits, self.parts = function(self._logits), function(self._parts, images)
        cotangents = tf.TensorSpec((None, network.classes))
        self.pullback = function(self._pullback, [part, cotangents])
        if self.job.stage == "generate":
            narrow, narrow_type = self.precision.kinds, tf.as_dtype(self.precision.type)
            self.generator = Generator(self.job, network, self.values, narrow, narrow_type)

    def load(self, weights: Weights) -> None:
        for name, array in channels_last.from_neutral(self.network, weights).items():
            self.values[name].assign(tf.cast(array, self.values[name].dtype))
        self.optimiser.reset()
        if self.average:
            self.average.begin()

    def set_rate(self, rate: float) -> None:
        self.optimiser.set_rate(rate)

    def weights(self) -> Weights:
        return self._neutral(self.values)

    def averaged_weights(self) -> Optional[Weights]:
        return self._neutral({**self.values, **self.average.values()}) if self.average else None

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return adapter.bytes_by_type(
            (value.dtype.name, value.dtype.size * int(tf.size(value)))
            for value in self.values.values()
        )

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        pixels = images.transpose(0, 2, 3, 1).astype(self.precision.images.as_numpy_dtype)
        return self.replicas.batch(pixels, labels)

    def batches(self, split: str) -> Iterator[Batch]:
        index, type_of_images = dataset.of_job(self.job), self.precision.images
        read = reader.batches(index, split, self.job.batch_size, self.part)
        if type_of_images != tf.float32:
            read = read.map(lambda images, labels: (tf.cast(images, type_of_images), labels))
        return self.replicas.batches(read)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.as_stored(self.job)
        for images, labels in reader.batches(index, split, self.job.batch_size):
            yield images.numpy().transpose(0, 3, 1, 2), labels.numpy()

    def train_step(self, batch: Batch) -> tf.Tensor:
        return self.step(*batch)

    def gradients(self, batch: Batch) -> tf.Tensor:
        loss, self.last_gradients = self.passes(*batch)
        return loss

    def gradient_arrays(self) -> Weights:
        gradients = zip(self.trainable, self.last_gradients)
        # An embedding's gradient is indexed rows, until it is converted.
        arrays = {name: tf.convert_to_tensor(each).numpy() for name, each in gradients}
        return channels_last.to_neutral(self.network, arrays)

    def predict(self, batch: Batch) -> Predictions:
        images, labels = map(self.replicas.parts, batch)
        logits = self.parts(*images)
        return numpy.concatenate(logits), numpy.concatenate(labels)

    def infer(self, batch: Batch) -> tf.Tensor:
        return self.logits(batch[0])

    def fetch(self, logits: tf.Tensor) -> numpy.ndarray:
        return logits.numpy()

    def prefill(self, batch: Batch) -> tf.Tensor:
        self.position = self.generator.prompt_tokens
        self.last_logits, tokens = self.generator.prefill(batch[0])
        return tokens

    def decode(self, tokens: Any) -> tf.Tensor:
        self.last_logits, following = self.generator.decode(tokens, tf.constant(self.position))
        self.position += 1
        return following

    def token_logits(self) -> numpy.ndarray:
        return self.last_logits.numpy()

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        gradient = self.pullback(batch[0], tf.constant(cotangents))
        return gradient.numpy().transpose(0, 3, 1, 2)

    def compute_types(self, batch: Batch) -> List[str]:
        stages = {"train": self.step, "gradients": self.passes}
        if self.job.stage in stages:
            graph = stages[self.job.stage].get_concrete_function(*batch)
        else:
            graph = self.logits.get_concrete_function(batch[0])
        return types_of_products(graph)

    def synchronise(self) -> None:
        releases.synchronise()

    def describe(self) -> Dict[str, Any]:
        flags = {
            "inter_op_threads": tf.config.threading.get_inter_op_parallelism_threads(),
            "onednn": onednn.is_enabled(),
            "tf32": releases.has_tf32(),
            "XLA_FLAGS": os.environ.get("XLA_FLAGS", ""),
        }
        build = releases.build_facts()
        return {
            "framework": "tensorflow",
            "version": tf.__version__,
            "threads": tf.config.threading.get_intra_op_parallelism_threads(),
            "libraries": {name: build[name] for name in LIBRARIES if name in build},
            "flags": dict(flags, **self.options),
            "devices": self.replicas.names,
            "device_batch_size": self.job.device_batch_size,
        }

    def _neutral(self, values: Dict[str, tf.Variable]) -> Weights:
        """The values of variables by their names, in neutral layout."""
        arrays = {name: tf.cast(value, tf.float32).numpy() for name, value in values.items()}
        return channels_last.to_neutral(self.network, arrays)

    def _step(self, images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        return self.replicas.run(self._train, images, labels)

    def _train(self, images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Train on a device's part of a batch by the whole batch's gradients.

        Return the loss of the device's part.
        """
        loss, gradients = self._passes(images, labels)
        self.optimiser.apply(self.values, self.replicas.mean(gradients))
        if self.average:
            self.average.update()
        return loss

    def _passes(self, images: tf.Tensor, labels: tf.Tensor) -> Tuple[tf.Tensor, List[tf.Tensor]]:
        """The loss of one device's part of a batch, and its gradients."""
        assert images.shape[0] == self.job.device_batch_size
        with tf.GradientTape() as tape:
            logits = self._forward(self.training, images, self.values)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_mean(losses)
        return loss, self.precision.gradients(tape, loss, [self.values[n] for n in self.trainable])

    def _parts(self, *parts: tf.Tensor) -> List[tf.Tensor]:
        return self.replicas.map(self._part, parts, self.values)

    def _part(self, images: tf.Tensor, values: Dict[str, tf.Tensor]) -> tf.Tensor:
        """Logits of a part of a batch; an empty part is allowed, unlike in tf.nn's convolutions."""
        return tf.cond(
            tf.size(images) > 0,
            lambda: self._forward(self.evaluation, images, values),
            lambda: tf.zeros((0, *self.network.layers[-1].shape)),
        )

    def _logits(self, images: tf.Tensor) -> tf.Tensor:
        return self._forward(self.evaluation, images, self.values)

    def _pullback(self, images: tf.Tensor, cotangents: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(images)
            logits = self._logits(images)
        return tape.gradient(logits, images, output_gradients=cotangents)

    def _forward(self, kinds: Kinds, images: tf.Tensor, values: Dict[str, Any]) -> tf.Tensor:
        """The network's logits, cast to float32."""
        return tf.cast(forward(self.network, kinds, images, values), tf.float32)
