"""TensorFlow from 1.4 on: a graph of a training step and of a prediction, run in a session.

It reads by trainmark's own readers, has one device, and computes in float32.
"""

from typing import Any, Dict, Iterator, List

import numpy

from worker import adapter, events, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.frameworks.tensorflow1.layers import EVALUATION, TRAINING
from worker.frameworks.tensorflow1.optimiser import Optimiser
from worker.frameworks.tensorflow1.v1 import VERSION, tf
from worker.input import dataset, readers
from worker.input.prefetch import normalised_batches
from worker.input.readers import tfrecord
from worker.job import Job
from worker.libraries import onednn
from worker.networks.neutral import channels_last
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import forward
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "TensorFlow 1"
FORMAT = "tfrecord"
ENVIRONMENT = "tensorflow"

PRECISIONS = {"cpu": ("float32",)}
MISSING = {
    "bfloat16": "the adapter of TensorFlow 1 computes in float32",
    "float16": "the adapter of TensorFlow 1 computes in float32",
}
OPTIONS = {"use_onednn": "default"}
PRODUCTS = ("Conv2D", "DepthwiseConv2dNative", "MatMul", "BatchMatMul", "BatchMatMulV2")


class Adapter(adapter.Adapter):
    """Variables, and two parts of one graph that share the variables; batches are fed."""

    def __init__(self, job: Job) -> None:
        options = support.check(job, PRECISIONS, OPTIONS, missing=MISSING)
        onednn.check(job, options, VERSION)
        self.job = job
        threads = job.threads
        self.config = tf.ConfigProto(
            intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads
        )
        channels, height, width = job.image_shape
        self.image_shape = (height, width, channels)

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.network = network
        shapes = channels_last.shapes(network)
        trained = network.trainable
        self.trainable = [weight.name for weight in trained]
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(self.job.seed)
            self.images = tf.placeholder(tf.float32, (None, *self.image_shape))
            self.labels = tf.placeholder(tf.int64, (None, *network.layers[-1].shape[:-1]))
            self.values = {name: tf.Variable(tf.zeros(s)) for name, s in shapes.items()}
            self.given = {name: tf.placeholder(tf.float32, s) for name, s in shapes.items()}
            self.assigned = [tf.assign(self.values[n], self.given[n]) for n in shapes]
            moved = dict(self.values)
            logits = forward(network, TRAINING, self.images, moved)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=self.labels, logits=logits
            )
            self.loss = tf.reduce_mean(losses)
            variables = [self.values[name] for name in self.trainable]
            # Gated, or a variable is changed in place while a gradient still reads it.
            gradients = tf.gradients(self.loss, variables, gate_gradients=True)
            # An embedding's gradient is indexed rows, until it is converted.
            self.gradient_tensors = [tf.convert_to_tensor(each) for each in gradients]
            self.optimiser = Optimiser(update_rule, trained, self.values, self.gradient_tensors)
            running = [name for name in shapes if name not in self.trainable]
            statistics = [tf.assign(self.values[name], moved[name]) for name in running]
            self.step = tf.group(*self.optimiser.updates, *statistics)
            self.logits = forward(network, EVALUATION, self.images, dict(self.values))
            self.cotangents = tf.placeholder(tf.float32, (None, network.classes))
            if self.job.stage == "attack":
                (self.pullback,) = tf.gradients(self.logits, self.images, self.cotangents)
        self.session = tf.Session(graph=self.graph, config=self.config)

    def load(self, weights: Weights) -> None:
        arrays = channels_last.from_neutral(self.network, weights)
        fed = {self.given[name]: array for name, array in arrays.items()}
        self.session.run(self.assigned, fed)
        self.session.run(self.optimiser.reset)
        self.optimiser.begin()

    def set_rate(self, rate: float) -> None:
        self.optimiser.set_rate(rate)

    def weights(self) -> Weights:
        return channels_last.to_neutral(self.network, self.session.run(self.values))

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return numpy.ascontiguousarray(images.transpose(0, 2, 3, 1)), labels

    def batches(self, split: str) -> Iterator[LabelledImages]:
        return normalised_batches(self, split)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.of_job(self.job)
        if dataset.is_encoded(index):
            raise events.Unsupported("the adapter of TensorFlow 1 decodes no image files")
        read = readers.choose(tfrecord, index, self.job)
        return dataset.stream(read, index, split, self.job.batch_size)

    def train_step(self, batch: LabelledImages) -> numpy.floating:
        images, labels = batch
        assert len(labels) == self.job.batch_size
        fed = {self.images: images, self.labels: labels, **self.optimiser.fed}
        loss, _ = self.session.run((self.loss, self.step), fed)
        return loss

    def gradients(self, batch: LabelledImages) -> numpy.floating:
        fed = {self.images: batch[0], self.labels: batch[1]}
        loss, self.last_gradients = self.session.run((self.loss, self.gradient_tensors), fed)
        return loss

    def gradient_arrays(self) -> Weights:
        return channels_last.to_neutral(
            self.network, dict(zip(self.trainable, self.last_gradients))
        )

    def predict(self, batch: LabelledImages) -> Predictions:
        return self.infer(batch), batch[1]

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        return self.session.run(self.logits, {self.images: batch[0]})

    def fetch(self, logits: numpy.ndarray) -> numpy.ndarray:
        return logits

    def input_gradient(self, batch: LabelledImages, cotangents: numpy.ndarray) -> numpy.ndarray:
        fed = {self.images: batch[0], self.cotangents: cotangents}
        return self.session.run(self.pullback, fed).transpose(0, 3, 1, 2)

    def compute_types(self, batch: LabelledImages) -> List[str]:
        nodes = self.graph.as_graph_def().node
        numbers = {node.attr["T"].type for node in nodes if node.op in PRODUCTS}
        return sorted(tf.as_dtype(number).name for number in numbers)

    def synchronise(self) -> None:
        """Nothing to wait for: a session's run() returns when all is done."""

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "tensorflow1",
            "version": VERSION,
            "threads": self.config.intra_op_parallelism_threads,
            "libraries": {},
            "flags": {
                "inter_op_threads": self.config.inter_op_parallelism_threads,
                "onednn": onednn.is_enabled(),
            },
            "devices": ["cpu"],
            "device_batch_size": self.job.batch_size,
        }
