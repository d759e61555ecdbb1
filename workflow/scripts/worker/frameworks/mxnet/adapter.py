"""MXNet: a static symbol in a Gluon block, gluon.Trainer, data by ImageRecordIter."""

from typing import Any, Dict, Iterator, List, Tuple

import mxnet
import numpy
from mxnet import autograd, gluon, nd, sym
from mxnet.base import _LIB

from worker import adapter, events, precisions, support
from worker.arrays import LabelledImages, Predictions, Weights, filled
from worker.devices import WHOLE, Part
from worker.frameworks.mxnet import precision
from worker.frameworks.mxnet.devices import Contexts
from worker.frameworks.mxnet.generation import Generator
from worker.frameworks.mxnet.optimiser import trainer
from worker.frameworks.mxnet.reader import Read, Reader
from worker.frameworks.mxnet.releases import STATIC, features, fused, scalar
from worker.frameworks.mxnet.statistics import Statistics
from worker.input import dataset
from worker.job import Job
from worker.libraries import openblas
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.networks.neutral.forward import forward
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "MXNet"
FORMAT = "recordio"
COLOUR = "#3f90da"
SEVERAL = ("cpu", "cuda")
NODES = ("cpu", "cuda")

PRECISIONS = {"cpu": ("float32", "bfloat16"), "cuda": ("float32", "tf32", "float16")}
OPTIONS = {"fuse": False}
MISSING = {
    "float16": "MXNet has no convolution of float16 on processors",
    "bfloat16": "MXNet 1.9.1 has bfloat16 on processors alone",
}


Batch = Tuple[List[nd.NDArray], List[nd.NDArray], int]
"""Images and labels, a part for each device, and the number of images before any padding."""


class Adapter(adapter.Adapter):
    """One symbol of the neutral layers in two blocks: one gives logits, the other the loss.

    The adapter has the devices of one node.
    """

    CONTEXTS = Contexts

    def __init__(self, job: Job, part: Part = WHOLE) -> None:
        self.options = support.check(
            job, PRECISIONS, OPTIONS, several=SEVERAL, missing=MISSING, nodes=NODES
        )
        self.of_prediction = fused(job) if self.options["fuse"] else STATIC
        self.job = job
        self.node_batch_size = job.batch_size // part[1]
        self.kinds = precision.begin(job)
        self.loss_scale = precisions.loss_scale(job.precision)
        self.devices = self.CONTEXTS(job)
        self.contexts = self.devices.contexts
        self.device_batch_size = job.device_batch_size
        self.reader = Reader(job, part)
        mxnet.random.seed(job.seed + part[0])
        self.threads = _LIB.omp_get_max_threads()
        # This thread only copies; the engine's threads compute with all threads. With a second team
        # here, OpenMP's barriers would sleep instead of spin: half the speed on two cores.
        _LIB.omp_set_num_threads(1)

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.network, self.update_rule = network, update_rule
        self.parameters = parameters(network)
        self.parameters.initialize(mxnet.init.Zero(), self.contexts)
        images, labels = (sym.var(name, dtype="float32") for name in ("images", "labels"))
        values = {weight.name: sym.var(weight.name, dtype="float32") for weight in network.weights}
        logits = forward(network, self.kinds, images, values)
        if self.job.precision in precisions.HALF:
            logits = sym.amp_cast(logits, dtype="float32")
        loss = -sym.mean(sym.pick(sym.log_softmax(logits), labels))
        self.symbol = logits
        self.logits = gluon.SymbolBlock(logits, images, self.parameters)
        self.loss = gluon.SymbolBlock(loss, [images, labels], self.parameters)
        self.logits.hybridize(**self.of_prediction)
        self.loss.hybridize(**STATIC)
        self.statistics = Statistics(network, self.parameters, self.job, self.devices)
        if self.job.stage == "generate":
            if self.job.precision in precisions.HALF:
                raise events.Unsupported("in MXNet stage generate is in float32")
            self.generator = Generator(self.job, network, self.parameters, self.contexts[0])

    def load(self, weights: Weights) -> None:
        for name, parameter in self.parameters.items():
            parameter.set_data(nd.array(weights[name]))
        self.statistics.unbiased = True
        self.trainer = trainer(self.network, self.update_rule, self.parameters, self.devices.store)

    def set_rate(self, rate: float) -> None:
        self.trainer.set_learning_rate(rate)

    def weights(self) -> Weights:
        self.statistics.set_unbiased(True)
        return {name: p.list_data()[0].asnumpy() for name, p in self.parameters.items()}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        count = len(labels)
        # the last test batch is padded with zeros
        images, labels = (filled(each, self.node_batch_size) for each in (images, labels))
        return self._parts(nd.array(images)), self._parts(nd.array(labels)), count

    def batches(self, split: str) -> Iterator[Batch]:
        return map(self._on_devices, self._read(split, dataset.of_job(self.job)))

    def _read(self, split: str, index: dataset.Index) -> Iterator[Read]:
        return dataset.stream(self.reader.epoch, index, split, self.job.batch_size)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        for images, labels, count in self._read(split, dataset.as_stored(self.job)):
            yield images.asnumpy()[:count], labels.asnumpy()[:count].astype("int64")

    def train_step(self, batch: Batch) -> Any:
        losses = self._passes(batch)
        self.trainer.step(self.devices.count * self.loss_scale)
        return self._loss(losses)

    def gradients(self, batch: Batch) -> Any:
        return self._loss(self._passes(batch))

    def gradient_arrays(self) -> Weights:
        trained = {name: p for name, p in self.parameters.items() if p.grad_req != "null"}
        return {name: p.list_grad()[0].asnumpy() / self.loss_scale for name, p in trained.items()}

    def predict(self, batch: Batch) -> Predictions:
        _, labels, count = batch
        logits, numbers = self.fetch(self.infer(batch)), self.fetch(labels)
        return logits[:count], numbers[:count].astype("int64")

    def infer(self, batch: Batch) -> List[nd.NDArray]:
        self.statistics.set_unbiased(True)
        return [self.logits(part) for part in batch[0]]

    def fetch(self, logits: List[nd.NDArray]) -> numpy.ndarray:
        return numpy.concatenate([part.asnumpy() for part in logits])

    def prefill(self, batch: Batch) -> List[nd.NDArray]:
        return self._chosen(self.generator.prefill(batch[0][0]))

    def decode(self, tokens: Any) -> List[nd.NDArray]:
        is_on_host = isinstance(tokens, numpy.ndarray)
        read = nd.array(tokens, self.contexts[0]) if is_on_host else tokens[0]
        return self._chosen(self.generator.decode(read))

    def token_logits(self) -> numpy.ndarray:
        return self.last_logits.asnumpy()

    def _chosen(self, logits: nd.NDArray) -> List[nd.NDArray]:
        self.last_logits = logits
        return [logits.argmax(axis=1)]

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        """Compute in training mode: else the gradient of MKL-DNN's pooling is wrong (1.9.1)."""
        (images,), _, count = batch
        images.attach_grad()
        with autograd.record():
            logits = self.logits(images)
        padded = nd.array(filled(cotangents, self.job.batch_size), self.contexts[0])
        (gradient,) = autograd.grad(logits, [images], [padded])
        return gradient.asnumpy()[:count]

    def compute_types(self, batch: Batch) -> List[str]:
        return precision.types_of_products(self.symbol)

    def synchronise(self) -> None:
        nd.waitall()

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "mxnet",
            "version": mxnet.__version__,
            "threads": self.threads,
            "libraries": openblas.configurations(),
            "flags": {**features(), **self.options},
            "devices": [str(context) for context in self.contexts],
            "device_batch_size": self.device_batch_size,
        }

    def _loss(self, losses: List[nd.NDArray]) -> Any:
        """The mean loss over all devices, as an array that float() can convert."""
        return scalar(self.devices.mean("loss", losses))

    def _passes(self, batch: Batch) -> List[nd.NDArray]:
        """Start the forward and backward pass of a step; return the loss of each device."""
        assert batch[2] == self.node_batch_size
        self.statistics.set_unbiased(False)
        with autograd.record():
            losses = [self.loss(*part) for part in zip(*batch[:2])]
            scaled = [loss * self.loss_scale for loss in losses] if self.loss_scale > 1 else losses
        autograd.backward(scaled)
        return losses

    def _on_devices(self, read: Read) -> Batch:
        images, labels, count = read
        return self._parts(images), self._parts(labels), count

    def _parts(self, array: nd.NDArray) -> List[nd.NDArray]:
        parts = self.devices.split(array)
        assert {len(part) for part in parts} == {self.device_batch_size}
        return parts


def parameters(network: Network) -> gluon.ParameterDict:
    """Gluon's parameters for the network's weights."""
    by_name = gluon.ParameterDict()
    for weight in network.weights:
        grad_req = "write" if weight.role in TRAINABLE_ROLES else "null"
        by_name.get(weight.name, shape=weight.shape, grad_req=grad_req)
    return by_name
