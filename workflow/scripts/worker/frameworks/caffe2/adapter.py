"""Caffe2: two static nets over the blobs of one workspace, momentum by its own operator.

This build has no operator that reads images, and its database reader supports neither LMDB nor
Caffe's Datum. So trainmark's reader feeds the nets, with images normalised ahead in a thread.
"""

import ctypes
import runpy
from typing import Any, Dict, Iterator, Optional

import numpy
from caffe2.python import workspace

from worker import adapter, networks, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.devices import WHOLE, Part
from worker.frameworks.caffe2 import layers, releases
from worker.frameworks.caffe2.devices import World, execution, one_for_each, parts, replicas_of
from worker.frameworks.caffe2.nets import (
    differentiation,
    evaluation,
    gradient,
    pullback,
    training,
)
from worker.frameworks.caffe2.optimiser import Optimiser
from worker.input import dataset, readers
from worker.input.prefetch import normalised_batches
from worker.input.readers import lmdb
from worker.job import Job
from worker.libraries import mkl
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "Caffe2"
FORMAT = "lmdb"
COLOUR = "#92dadd"
SEVERAL = ("cpu", "cuda")
NODES = ("cpu", "cuda")

PRECISIONS = {"cpu": ("float32",), "cuda": ("float32",)}
MISSING = {
    "float16": "Caffe2's convolutions take float16 by cuDNN alone, which was not tried",
    "bfloat16": "Caffe2 has no bfloat16",
    "tf32": "its CUDA 10 is older than tf32",
}

SEEDS = 1_000_000
"""The distance between two nodes' seeds; it is larger than the number of a net's operators."""


class Adapter(adapter.Adapter):
    """A net that trains and a net that predicts; they share the blobs of the weights.

    The adapter has the devices of one node.
    """

    def __init__(self, job: Job, part: Part = WHOLE) -> None:
        support.check(job, PRECISIONS, {}, several=SEVERAL, missing=MISSING, nodes=NODES)
        self.job, self.part = job._replace(seed=job.seed + SEEDS * part[0]), part
        self.replicas = replicas_of(job)
        self.execution = execution(job)
        self.device_batch_size = job.device_batch_size
        threads = [f"--caffe2_{library}_num_threads={job.threads}" for library in ("omp", "mkl")]
        # Level 3 hides warnings that Caffe2 is built without AVX: MKL and MKL-DNN use it anyway.
        workspace.GlobalInit(["caffe2", "--caffe2_log_level=3", *threads])

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        workspace.ResetWorkspace()
        if networks.reads_text(self.job.network):  # MKL-DNN has no operators for bytes
            for replica in self.replicas:
                replica.use_own_operators()
        self.optimiser = Optimiser(network, update_rule)
        self.names = [weight.name for weight in network.weights]
        self.trainable = [w.name for w in network.trainable]
        self.has_fixed_weights = self.job.stage == "infer"
        kinds = layers.prediction if self.has_fixed_weights else layers.evaluation
        self.nets = {"evaluation": evaluation(network, self.replicas, kinds(network))}
        if self.job.stage == "gradients":
            self.nets["differentiation"] = differentiation(network, self.replicas[0], self.job)
        if self.job.stage == "attack":
            self.nets["pullback"] = pullback(network, self.replicas[0])
        if self.job.stage == "train":
            self.nets["training"] = training(
                network, self.optimiser, self.replicas, self.job, self.joined()
            )
        self.logits = network.without_dropout().layers[-1].name  # evaluation has no dropout
        self._feed(
            images=numpy.empty((1, *network.input.shape), numpy.float32),
            labels=numpy.empty(1, numpy.int32),
            cotangents=numpy.empty((1, network.classes), numpy.float32),
            one=numpy.ones(1, numpy.float32),
            share=numpy.array([1 / self.job.device_count], numpy.float32),
        )
        self.is_created = False

    def joined(self) -> Optional[World]:
        """The nodes that train together, or None."""
        return None

    def load(self, weights: Weights) -> None:
        self._feed(**weights)
        self._feed(**self.optimiser.state())
        if not self.is_created:  # nets can only be created once their blobs exist
            for net in self.nets.values():
                net.Proto().MergeFrom(self.execution)
                workspace.CreateNet(net)
            self.is_created = True
        elif self.has_fixed_weights:  # which it has reordered
            workspace.CreateNet(self.nets["evaluation"], overwrite=True)

    def set_rate(self, rate: float) -> None:
        self._feed(**self.optimiser.rates(rate))

    def weights(self) -> Weights:
        return {name: self.replicas[0].fetch(name) for name in self.names}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return images, labels.astype(numpy.int32)

    def batches(self, split: str) -> Iterator[LabelledImages]:
        return normalised_batches(self, split)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.of_job(self.job)
        read = readers.choose(lmdb, index, self.job, part=self.part)
        return dataset.stream(read, index, split, self.job.batch_size)

    def train_step(self, batch: LabelledImages) -> numpy.floating:
        return self._run("training", batch)

    def gradients(self, batch: LabelledImages) -> numpy.floating:
        return self._run("differentiation", batch)

    def gradient_arrays(self) -> Weights:
        return {name: self.replicas[0].fetch(gradient(name)) for name in self.trainable}

    def predict(self, batch: LabelledImages) -> Predictions:
        labels = batch[1]
        return self.fetch(self.infer(batch))[: len(labels)], labels.astype(numpy.int64)

    def infer(self, batch: LabelledImages) -> str:
        images, _ = batch
        for replica, part in parts(self.replicas, one_for_each(self.replicas, images)):
            replica.feed(images=part)
        workspace.RunNet(self.nets["evaluation"])
        return self.logits

    def fetch(self, logits: str) -> numpy.ndarray:
        return numpy.concatenate([replica.fetch(logits) for replica in self.replicas])

    def input_gradient(self, batch: LabelledImages, cotangents: numpy.ndarray) -> numpy.ndarray:
        (replica,) = self.replicas
        replica.feed(images=batch[0], cotangents=cotangents)
        workspace.RunNet(self.nets["pullback"])
        return replica.fetch(gradient("images"))

    def synchronise(self) -> None:
        """Nothing to wait for: a net has run when RunNet returns."""

    def describe(self) -> Dict[str, Any]:
        path = releases.library()
        library = ctypes.CDLL(path)
        return {
            "framework": "caffe2",
            "version": runpy.run_path(str(releases.TORCH / "version.py"))["__version__"],
            "threads": library.omp_get_max_threads(),
            "libraries": {
                "MKL": mkl.version(path),
                "MKL-DNN": releases.mkl_dnn_version(library),
            },
            "flags": {"net_type": self.execution.type},
            "devices": [str(replica) for replica in self.replicas],
            "device_batch_size": self.device_batch_size,
        }

    def _run(self, net: str, batch: LabelledImages) -> numpy.floating:
        """Run the net of this name on a full batch; return the batch's mean loss."""
        for replica, images, labels in parts(self.replicas, *batch):
            assert len(labels) == self.device_batch_size
            replica.feed(images=images, labels=labels)
        workspace.RunNet(self.nets[net])
        losses = [replica.fetch("loss") for replica in self.replicas]
        return numpy.sum(losses) / self.job.device_count

    def _feed(self, **arrays: numpy.ndarray) -> None:
        for replica in self.replicas:
            replica.feed(**arrays)
