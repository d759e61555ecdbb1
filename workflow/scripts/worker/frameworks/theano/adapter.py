"""Theano: compiled functions for training, gradients and prediction, with OpenMP and OpenBLAS."""

import ctypes
import importlib
import os
import sys
from typing import Any, Callable, Dict, Iterator, Tuple

import numpy

# Theano reads these flags when it is imported, and stores compiled code in the environment.
os.environ["THEANO_FLAGS"] = ",".join(
    [
        "floatX=float32",
        "openmp=True",
        "blas.ldflags=-lopenblas",
        f"base_compiledir={sys.prefix}/theano-cache",
        # A process looks for the cache's lock every second, instead of every five or ten seconds.
        "compile.wait=1",
        "compile.timeout=120",
        # ResNet-50 compiles in 0.57 of the time; its steps take the same time.
        "cycle_detection=fast",
        # No debugging information: g++ spends a sixth of its time on it.
        "gcc.cxxflags=-g0",
    ]
)
os.environ["LIBRARY_PATH"] = f"{sys.prefix}/lib"  # where g++ looks for OpenBLAS
os.environ["THEANORC"] = os.devnull  # the user's own settings change no run
# OpenMP's and OpenBLAS's threads alternate on the same cores: waiting threads must yield them.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
os.environ["OPENBLAS_THREAD_TIMEOUT"] = "4"

import theano
from theano import Variable, tensor
from theano.compile.function_module import Function
from theano.sandbox.rng_mrg import MRG_RandomStreams
from theano.tensor.nnet import categorical_crossentropy, softmax

from worker import adapter, events, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.frameworks.theano import headers, layers
from worker.frameworks.theano.optimiser import Optimiser, Updates
from worker.input import dataset, readers
from worker.input.prefetch import normalised_batches
from worker.input.readers import lmdb
from worker.job import Job
from worker.libraries import openblas
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import forward
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "Theano"
FORMAT = "lmdb"
COLOUR = "#b9ac70"

OPTIONS = {"allow_gc": True}
LINKERS = {True: "cvm", False: "cvm_nogc"}
"""That which frees each intermediate result once it was used, and that which keeps all."""

DEVICES = {"cpu": "cpu", "cuda": "cuda0"}
PRECISIONS = {"cpu": ("float32",), "cuda": ("float32",)}
MISSING = {
    "float16": "Theano only stores float16, on GPUs alone, as an experiment; it was not tried",
    "bfloat16": "Theano has no bfloat16",
    "tf32": "Theano ended before tf32 came",
}
WAITING = ("OMP_WAIT_POLICY", "OPENBLAS_THREAD_TIMEOUT")

headers.use()


class Adapter(adapter.Adapter):
    """Weights, momenta and gradients as shared variables, and compiled functions that use them."""

    def __init__(self, job: Job) -> None:
        options = support.check(job, PRECISIONS, OPTIONS, missing=MISSING)
        self.job = job
        theano.config.linker = LINKERS[options["allow_gc"]]
        # For describe(), and because Theano's compiled modules are linked with OpenBLAS.
        ctypes.CDLL(os.environ["LIBRARY_PATH"] + "/libopenblas.so")
        if job.device != "cpu":
            use_gpu(DEVICES[job.device_kind])

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.values = {
            weight.name: theano.shared(numpy.zeros(weight.shape, numpy.float32), weight.name)
            for weight in network.weights
        }
        self.trainable = [w.name for w in network.trainable]
        self.optimiser = Optimiser(network, update_rule)
        self.network = network
        self.functions: Dict[str, Callable[..., Any]] = {}

    def load(self, weights: Weights) -> None:
        for name, value in self.values.items():
            value.set_value(weights[name])
        self.optimiser.reset()

    def set_rate(self, rate: float) -> None:
        self.optimiser.set_rate(rate)

    def weights(self) -> Weights:
        return {name: value.get_value() for name, value in self.values.items()}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return images, labels

    def batches(self, split: str) -> Iterator[LabelledImages]:
        return normalised_batches(self, split)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.of_job(self.job)
        read = readers.choose(lmdb, index, self.job)
        return dataset.stream(read, index, split, self.job.batch_size)

    def train_step(self, batch: LabelledImages) -> numpy.ndarray:
        images, labels = batch
        assert len(labels) == self.job.batch_size
        return self._compiled(self._training)(images, labels)

    def gradients(self, batch: LabelledImages) -> numpy.ndarray:
        images, labels = batch
        assert len(labels) == self.job.batch_size
        return self._compiled(self._differentiation)(images, labels)

    def gradient_arrays(self) -> Weights:
        return {name: value.get_value() for name, value in self.last_gradients.items()}

    def predict(self, batch: LabelledImages) -> Predictions:
        return self.infer(batch), batch[1]

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        return self._compiled(self._prediction)(batch[0])

    def fetch(self, logits: numpy.ndarray) -> numpy.ndarray:
        return logits

    def input_gradient(self, batch: LabelledImages, cotangents: numpy.ndarray) -> numpy.ndarray:
        return self._compiled(self._pullback)(batch[0], cotangents)

    def synchronise(self) -> None:
        """Nothing to wait for: a function returns when it is done, with its result on the host."""

    def describe(self) -> Dict[str, Any]:
        config = theano.config
        return {
            "framework": "theano",
            "version": theano.__version__,
            "threads": openmp_threads(),
            "libraries": openblas.configurations(),
            "flags": {
                "cxx": config.cxx,
                "gcc.cxxflags": config.gcc.cxxflags,
                "blas.ldflags": config.blas.ldflags,
                "openmp": config.openmp,
                "linker": config.linker,
                **{name: os.environ[name] for name in WAITING},
            },
            "devices": [DEVICES[self.job.device_kind]],
            "device_batch_size": self.job.batch_size,
        }

    def _compiled(self, make: Callable[[], Function]) -> Function:
        """The function that the method `make` compiles; it is compiled once, when first needed."""
        if make.__name__ not in self.functions:
            self.functions[make.__name__] = make()
        return self.functions[make.__name__]

    def _training(self) -> Function:
        images, labels, loss, updates, gradients = self._passes()
        updates += self.optimiser.updates(self.values, gradients)
        return theano.function([images, labels], loss, updates=updates)

    def _differentiation(self) -> Function:
        images, labels, loss, updates, gradients = self._passes()
        shared = {name: theano.shared(self.values[name].get_value()) for name in gradients}
        updates.extend((shared[name], gradient) for name, gradient in gradients.items())
        self.last_gradients = shared
        return theano.function([images, labels], loss, updates=updates)

    def _prediction(self) -> Function:
        images = tensor.tensor4("images")
        logits = forward(self.network, layers.EVALUATION, images, dict(self.values))
        return theano.function([images], logits)

    def _pullback(self) -> Function:
        images, cotangents = tensor.tensor4("images"), tensor.matrix("cotangents")
        logits = forward(self.network, layers.EVALUATION, images, dict(self.values))
        return theano.function([images, cotangents], tensor.Lop(logits, images, cotangents))

    def _passes(self) -> Tuple[Variable, Variable, Variable, Updates, Dict[str, Variable]]:
        """Images, labels, the loss, the updates of running statistics, and the gradients."""
        axes = len(self.network.layers[-1].shape)
        images, labels = tensor.tensor4("images"), tensor.TensorType("int64", [False] * axes)()
        random = MRG_RandomStreams(self.job.seed + 1)  # this seed can't be 0
        moved = dict(self.values)
        logits = forward(self.network, layers.training(random), images, moved)
        rows, numbers = logits, labels
        if axes > 1:  # softmax takes two axes
            rows, numbers = logits.reshape((-1, self.network.classes)), labels.flatten()
        loss = categorical_crossentropy(softmax(rows), numbers).mean()
        updates = [(self.values[name], moved[name]) for name in moved if name not in self.trainable]
        gradients = tensor.grad(loss, [self.values[name] for name in self.trainable])
        return images, labels, loss, updates, dict(zip(self.trainable, gradients))


def use_gpu(device: str) -> None:
    """Compute on a GPU from now on; raises events.Unsupported if pygpu is missing."""
    try:
        importlib.import_module("pygpu")
    except ImportError:
        raise events.Unsupported("theano finds no GPU: its pygpu is not installed") from None
    importlib.import_module("theano.gpuarray").use(device, force=True)


def openmp_threads() -> int:
    """The number of threads that OpenMP uses, as its library in this process reports it."""
    return ctypes.CDLL("libgomp.so.1").omp_get_max_threads()
