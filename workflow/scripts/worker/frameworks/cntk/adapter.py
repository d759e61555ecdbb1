"""CNTK: a graph trained by Trainer and its learners, data by ImageDeserializer."""

import ctypes
import os
from functools import partial
from typing import Any, Dict, Iterator, Sequence, Tuple

# The threads of OpenMP and of the reader alternate on the same cores: waiting threads yield them
# after a millisecond instead of 200. At 0, small batches of many operations take ten times as long.
os.environ["KMP_BLOCKTIME"] = "1"

import cntk
import numpy

from worker import adapter, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.frameworks.cntk.layers import KINDS
from worker.frameworks.cntk.optimiser import Optimiser
from worker.frameworks.cntk.reader import Reader
from worker.input import dataset
from worker.job import Job
from worker.libraries import mkl
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network, Weight
from worker.networks.neutral.forward import Kinds, forward
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "CNTK"
FORMAT = "cntk"
COLOUR = "#e76300"
SEVERAL = ("cpu", "cuda")
NODES = ("cpu", "cuda")
RANKS = True

DEVICES = {"cpu": lambda number: cntk.cpu(), "cuda": cntk.gpu}
PRECISIONS = {"cpu": ("float32",), "cuda": ("float32",)}
MISSING = {
    "float16": "CNTK's convolutions take float16 by cuDNN alone, which was not tried",
    "bfloat16": "CNTK has no bfloat16",
    "tf32": "its CUDA 10 is older than tf32",
}


Batch = Sequence[cntk.Value]
"""Images (n, C, H, W) and labels (n, classes) one-hot; of a language model numbers (n, tokens)."""


class Adapter(adapter.Adapter):
    """Parameters, constants for running statistics, and a graph from images to the loss."""

    def __init__(self, job: Job, rank: int = 0) -> None:
        check(job)
        number = rank % job.node_device_count  # the device's number on its node
        self.job, self.part = job, (rank, job.device_count)
        if not cntk.try_set_default_device(DEVICES[job.device_kind](number)):
            raise RuntimeError("another process uses the GPU, and CNTK can't share it")
        cntk.cntk_py.set_max_num_cputhreads(job.device_threads)
        cntk.cntk_py.set_fixed_random_seed(job.seed + rank)  # the seed of each dropout

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.values = {weight.name: variable(weight) for weight in network.weights}
        batch_size = self.job.device_batch_size
        batch_norm = partial(KINDS["batch_norm"], batch_size=batch_size)
        kinds: Kinds = dict(KINDS, batch_norm=batch_norm)
        is_attacked = self.job.stage == "attack"
        self.images = cntk.input_variable(network.input.shape, needs_gradient=is_attacked)
        logits = forward(network, kinds, self.images, self.values)
        self.is_language_model = len(network.layers[-1].shape) == 2
        if self.is_language_model:
            self.logits, self.labels, self.loss = of_tokens(logits, network)
        else:
            self.logits, self.labels = logits, cntk.input_variable(logits.shape)
            self.loss = cntk.cross_entropy_with_softmax(logits, self.labels)
        self.optimiser = Optimiser(network, update_rule, self.values)
        learners = [self.joined(learner) for learner in self.optimiser.learners]
        self.trainer = cntk.Trainer(self.logits, self.loss, learners)

    def joined(self, learner: cntk.learners.Learner) -> cntk.learners.Learner:
        """The learner for updates; a subclass for several devices joins them in it."""
        return learner

    def load(self, weights: Weights) -> None:
        for name, value in self.values.items():
            value.value = weights[name]
        self.optimiser.reset()

    def set_rate(self, rate: float) -> None:
        self.optimiser.set_rate(rate)

    def weights(self) -> Weights:
        return {name: value.value for name, value in self.values.items()}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        if self.is_language_model:
            return cntk.Value(images), cntk.Value(labels.astype(numpy.float32))
        one_hot = numpy.eye(self.job.classes, dtype=numpy.float32)[labels]
        return cntk.Value(images), cntk.Value(one_hot)

    def batches(self, split: str) -> Iterator[Batch]:
        return self._read(split, dataset.of_job(self.job))

    def _read(self, split: str, index: dataset.Index) -> Iterator[Batch]:
        reader = Reader(index, split, self.part)
        return dataset.stream(reader.epoch, index, split, self.job.batch_size)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        for images, labels in self._read(split, dataset.as_stored(self.job)):
            yield images.asarray(), labels.asarray().argmax(axis=1)

    def train_step(self, batch: Batch) -> float:
        images, labels = batch
        assert images.shape[0] == self.job.device_batch_size
        self.trainer.train_minibatch({self.images: images, self.labels: labels})
        return self.trainer.previous_minibatch_loss_average

    def gradients(self, batch: Batch) -> float:
        images, labels = batch
        assert images.shape[0] == self.job.device_batch_size
        arguments = {self.images: images, self.labels: labels}
        parameters, as_values = self.logits.parameters, dict(as_numpy=False)
        self.sums, losses = self.loss.grad(arguments, parameters, [self.loss], **as_values)
        return float(losses.asarray().mean())

    def gradient_arrays(self) -> Weights:
        """The gradients of the mean loss; CNTK differentiates the sum over the batch."""
        size = self.job.device_batch_size
        means = {parameter.uid: value.asarray() / size for parameter, value in self.sums.items()}
        trained = {name: v.uid for name, v in self.values.items() if v.uid in means}
        return {name: means[uid] for name, uid in trained.items()}

    def predict(self, batch: Batch) -> Predictions:
        labels = batch[1].asarray()
        numbers = labels.astype(numpy.int64) if self.is_language_model else labels.argmax(axis=1)
        return self.fetch(self.infer(batch)), numbers

    def infer(self, batch: Batch) -> cntk.Value:
        return self.logits.eval({self.images: batch[0]}, as_numpy=False)

    def fetch(self, logits: cntk.Value) -> numpy.ndarray:
        return logits.asarray()

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        logits = self.logits.output
        state, _ = self.logits.forward({self.images: batch[0]}, [logits], {logits})
        gradients = self.logits.backward(state, {logits: cotangents}, {self.images})
        return gradients[self.images]

    def synchronise(self) -> None:
        self.logits.parameters[0].asarray()  # the copy to the host waits for the update

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "cntk",
            "version": cntk.__version__,
            "threads": cntk.cntk_py.get_max_num_cputhreads(),
            "libraries": {"MKL": mkl.version("libmklml_intel.so")},
            "flags": {
                "KMP_BLOCKTIME": ctypes.CDLL("libiomp5.so").kmp_get_blocktime(),
                "deterministic": cntk.cntk_py.should_force_deterministic_algorithms(),
            },
            "devices": [str(cntk.use_default_device())],
            "device_batch_size": self.job.device_batch_size,
        }


def check(job: Job) -> None:
    """Raise events.Unsupported for a job that CNTK can't do."""
    support.check(job, PRECISIONS, options={}, several=SEVERAL, missing=MISSING, nodes=NODES)
    support.check_gpu_count(job, len(cntk.device.all_devices()) - 1)  # one is the processor


def of_tokens(
    logits: cntk.Function, network: Network
) -> Tuple[cntk.Function, cntk.Variable, cntk.Function]:
    """Logits, labels and loss of a language model, whose logits are a sequence of tokens.

    The labels are numbers, and the loss of a text is the mean over its tokens.
    """
    tokens, vocabulary = network.layers[-1].shape
    labels = cntk.input_variable((tokens,))
    expected = cntk.to_sequence_like(cntk.one_hot(labels, vocabulary), logits)
    losses = cntk.cross_entropy_with_softmax(logits, expected)
    loss = cntk.sequence.reduce_sum(losses) / tokens
    unpacked = cntk.sequence.unpack(logits, padding_value=0, no_mask_output=True)
    return unpacked, labels, loss


def variable(weight: Weight) -> cntk.Variable:
    """A parameter; for a running statistic a constant, so that no learner changes it."""
    zeros = numpy.zeros(weight.shape, numpy.float32)
    is_trainable = weight.role in TRAINABLE_ROLES
    return cntk.Parameter(init=zeros) if is_trainable else cntk.Constant(zeros)
