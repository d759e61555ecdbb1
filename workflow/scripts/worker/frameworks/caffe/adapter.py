"""Caffe, by pycaffe: batches are copied into a net, which an SGDSolver trains step by step."""

import ctypes
import math
import os
import subprocess
import sys
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

os.environ.setdefault("GLOG_minloglevel", "2")  # errors only, without a line for every layer

import caffe
import numpy
from caffe.proto import caffe_pb2 as caffe_pb2  # caffe_train imports it from here too

from worker import adapter, events, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.frameworks.caffe import layers, optimiser
from worker.frameworks.caffe import reader as data
from worker.frameworks.caffe.recurrent import in_gate_order
from worker.input import dataset
from worker.job import Job
from worker.libraries import openblas
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "Caffe"
FORMAT = "lmdb"
COLOUR = "#a96b59"

DEVICES = {"cpu": "CPU", "cuda": "GPU 0"}
PRECISIONS = {"cpu": ("float32",), "cuda": ("float32",)}
MISSING = {
    "bfloat16": "Caffe knows no precision but float32",
    "float16": "Caffe knows no precision but float32",
    "tf32": "Caffe knows no precision but float32",
}
INPUTS = ("images", "labels")
EVALUATED_AT_ONCE = 32  # for a whole batch, the evaluating net would nearly double the memory


Batch = Tuple[numpy.ndarray, numpy.ndarray, int]
"""Images float32 (n, C, H, W) and labels (n, ...), and the number of images before any padding."""


class Adapter(adapter.Adapter):
    """A net and its solver; batches come from Caffe's Data layer, and are copied into the net."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job
        if job.device == "cpu":
            caffe.set_mode_cpu()
        else:
            require_gpu()
            caffe.set_device(0)
            caffe.set_mode_gpu()

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        """Describe the nets; load() makes them."""
        self.network, self.update_rule = network, update_rule
        batch_size = self.job.batch_size
        is_timed = self.job.stage in ("infer", "attack")
        self.at_once = batch_size if is_timed else min(batch_size, EVALUATED_AT_ONCE)
        self.message = self.training_net(layers.inputs(batch_size, network))
        self.evaluation_message = layers.net(network, layers.inputs(self.at_once, network))
        if self.job.stage == "attack":
            layers.differentiate_by_images(self.evaluation_message, network)

    def load(self, weights: Weights) -> None:
        """Make solver and nets anew, which is the only way to reset the velocity."""
        self.make()
        arrays = in_gate_order(self.network, weights)
        for name, blob in layers.blobs(self.net, self.network).items():
            blob.data[...] = arrays[name]
        for divisor in layers.divisors(self.net, self.network).values():
            divisor.data[...] = 1
        self.tracking = False

    def set_rate(self, rate: float) -> None:
        self.solver.param.base_lr = rate

    def make(self) -> None:
        """Make the solver with its net, and the net that evaluates with the same weights."""
        self.release()
        solver_class = optimiser.SOLVERS[self.update_rule.optimiser]
        self.solver = from_file(solver_class, self.solver_message(net_param=self.message))
        self.net = self.solver.net
        self.evaluation = from_file(caffe.Net, self.evaluation_message, caffe.TEST)
        self.evaluation.share_with(self.net)

    def release(self) -> None:
        """Release solver and nets, and their memory."""
        self.solver = self.net = self.evaluation = None

    def weights(self) -> Weights:
        """Copy all weights; running statistics are quotients of two blobs."""
        blobs = layers.blobs(self.net, self.network)
        values = {name: blob.data.copy() for name, blob in blobs.items()}
        for name, divisor in layers.divisors(self.net, self.network).items():
            values[name] /= divisor.data
        return in_gate_order(self.network, values)

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        """The arrays unchanged, and the number of their images."""
        return images, labels, len(labels)

    def batches(self, split: str) -> Iterator[Batch]:
        """Batches of Caffe's own Data layer."""
        return self._read(split, dataset.of_job(self.job))

    def _read(self, split: str, index: dataset.Index) -> Iterator[Batch]:
        return dataset.stream(self._epoch, index, split, self.job.batch_size)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        for images, labels, count in self._read(split, dataset.as_stored(self.job)):
            yield images[:count], labels[:count].astype("int64")

    def train_step(self, batch: Batch) -> float:
        """Do a step; Caffe waits for the loss. Raises FloatingPointError if the loss is NaN."""
        self._fill(batch)
        self.solver.step(1)
        loss = float(self.net.blobs["loss"].data)
        if math.isnan(loss):  # then Caffe's max pooling writes gradients out of bounds
            raise FloatingPointError("the loss is NaN, with which Caffe corrupts its memory")
        return loss

    def gradients(self, batch: Batch) -> float:
        """Do the solver's forward and backward pass, without its update; return the loss."""
        self._fill(batch)
        self.net.clear_param_diffs()
        self.net.forward()
        self.net.backward()
        return float(self.net.blobs["loss"].data)

    def gradient_arrays(self) -> Weights:
        blobs = layers.blobs(self.net, self.network)
        trained = [w.name for w in self.network.trainable]
        gradients = {name: blobs[name].diff.copy() for name in trained}
        return in_gate_order(self.network, gradients)

    def predict(self, batch: Batch) -> Predictions:
        """Predict by the net of phase TEST, which shares the weights with the net that trains."""
        images, labels, count = batch
        starts = range(0, count, self.at_once)
        parts = [self._logits(images[start : start + self.at_once]) for start in starts]
        return numpy.concatenate(parts)[:count], labels[:count].astype("int64")

    def infer(self, batch: Batch) -> numpy.ndarray:
        return self._logits(batch[0])

    def fetch(self, logits: numpy.ndarray) -> numpy.ndarray:
        return logits

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        images, _, count = batch
        last, loss = self.evaluation_message.layer[-2:]
        self._logits(images[:count])
        self.evaluation.blobs[loss.bottom[0]].diff[:count] = cotangents
        self.evaluation.backward(start=last.name)
        return self.evaluation.blobs["images"].diff[:count].copy()

    def synchronise(self) -> None:
        """Read a blob that the last update wrote: on a GPU, the read waits for the update."""
        last_layer = list(self.net.params.values())[-1]
        last_layer[-1].data.copy()

    def describe(self) -> Dict[str, Any]:
        """The fields of `environment`; threads are OpenBLAS's, since Caffe's own code is serial."""
        return {
            "framework": self.job.adapter,
            "version": caffe.__version__,
            "threads": blas_threads(),
            "libraries": openblas.configurations(),
            "flags": {"in_place": sorted(layers.IN_PLACE)},
            "devices": [DEVICES[self.job.device_kind]],
            "device_batch_size": self.job.batch_size,
        }

    def training_net(self, inputs: List[caffe_pb2.LayerParameter]) -> caffe_pb2.NetParameter:
        """The net that trains: the input layers, the network, and factors of rate and decay."""
        message = layers.net(self.network, inputs)
        optimiser.add_factors(message, self.network, self.update_rule)
        return message

    def solver_message(self, **settings: Any) -> caffe_pb2.SolverParameter:
        """A SolverParameter for the update rule, with other fields set."""
        fields = dict(optimiser.settings(self.update_rule), random_seed=self.job.seed, **settings)
        return caffe_pb2.SolverParameter(**fields)

    def _fill(self, batch: Batch) -> None:
        """Copy a batch, which must be full, into the net that trains."""
        assert len(batch[1]) == batch[2] == self.job.batch_size
        self.track()
        self.net.blobs["images"].data[...] = batch[0]
        self.net.blobs["labels"].data[...] = batch[1].T

    def _logits(self, images: numpy.ndarray) -> numpy.ndarray:
        """Logits of at most self.at_once images; of tokens, Caffe has (tokens, n, vocabulary)."""
        self.evaluation.blobs["images"].data[: len(images)] = images
        last, loss = self.evaluation_message.layer[-2:]
        self.evaluation.forward(end=last.name)
        logits = self.evaluation.blobs[loss.bottom[0]].data
        by_image = logits.swapaxes(0, 1) if logits.ndim == 3 else logits
        return by_image[: len(images)].copy()

    def _epoch(self, index: dataset.Index, split: str, batch_size: int) -> Iterator[Batch]:
        """Read an epoch by a new reader: Caffe's Data layer would begin the next within a batch."""
        message = caffe_pb2.NetParameter(layer=[data.layer(index, split, batch_size)])
        reader = from_file(caffe.Net, message, data.PHASES[split])
        for count in dataset.batch_sizes(index, split, batch_size):
            reader.forward()
            images, labels = (reader.blobs[name].data.copy() for name in INPUTS)
            yield images, labels, count

    def track(self) -> None:
        """Scale running statistics and their divisor from load()'s form to the form for training.

        A step multiplies a running sum and its divisor by 0.9, then adds the batch's value to the
        sum and 1 to the divisor. A divisor of 10 stays 10, and this is the contract's update of
        running statistics. load() sets a divisor of 1, by which the loaded values stay exact.
        """
        if self.tracking:
            return
        for layer in self.network.layers:
            if layer.kind == "batch_norm":
                for blob in self.net.params[layer.name]:
                    blob.data[...] *= 1 / (1 - layer.settings["momentum"])
        self.tracking = True


def from_file(make: Callable[..., Any], message: Any, *arguments: Any) -> Any:
    """Make a pycaffe object from a message, through a file, since pycaffe reads only files."""
    with tempfile.NamedTemporaryFile("w", suffix=".prototxt") as file:
        file.write(str(message))
        file.flush()
        return make(file.name, *arguments)


def require_gpu() -> None:
    """Raise Unsupported if Caffe has no GPU; another process tries, since Caffe would abort."""
    attempt = [sys.executable, "-c", "import caffe; caffe.set_device(0)"]
    if subprocess.call(attempt, stderr=subprocess.DEVNULL):
        raise events.Unsupported("caffe finds no GPU, or is built for the CPU only")


def blas_threads() -> Optional[int]:
    """The threads of the OpenBLAS that Caffe is linked with; None if it has another BLAS."""
    get = getattr(ctypes.CDLL(caffe._caffe.__file__), "openblas_get_num_threads", None)
    return get and get()
