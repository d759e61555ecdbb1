"""Caffe2: two static nets over the blobs of one workspace, momentum by its own operator.

This build has no operator that reads images, and its database reader knows neither LMDB nor Caffe's
Datum: so trainmark's own reader feeds the nets, with images normalised ahead in a thread.
"""

import ctypes
import runpy
from pathlib import Path

import numpy
from caffe2.proto import caffe2_pb2
from caffe2.python import core, workspace

from worker import dataset, devices, events, mkl, readers, support
from worker.forward import forward
from worker.layers import caffe2 as layers
from worker.network import TRAINABLE_ROLES
from worker.prefetch import prefetch
from worker.readers import lmdb

TITLE = "Caffe2"
FORMAT = "lmdb"
COLOUR = "#00acc1"

# Where a net runs, and where it takes labels and the learning rate from and draws random numbers.
# On CPUs it runs on IDEEP, which is MKL-DNN: Caffe2's own operators are several times slower.
DEVICES = {
    "cpu": (caffe2_pb2.IDEEP, caffe2_pb2.CPU),
    "cuda": (caffe2_pb2.CUDA, caffe2_pb2.CUDA),
}
ON_HOST = ("labels", "learning_rate")
PRECISIONS = ("float32",)
NET_TYPE = "simple"  # one operator after the other, each on all threads


class Adapter:
    """A net that trains and a net that predicts, which share the blobs of the weights."""

    def __init__(self, job):
        support.check(job, DEVICES, PRECISIONS, options={})
        if job["device"] != "cpu" and not workspace.NumCudaDevices():
            raise events.Unsupported("caffe2 finds no GPU")
        self.job = job
        self.mkl_settings = mkl.use_avx2()
        self.device, self.host = (core.DeviceOption(kind, 0) for kind in DEVICES[devices.kind(job)])
        threads = [f"--caffe2_{library}_num_threads={job['threads']}" for library in ("omp", "mkl")]
        # Level 3 is silent on a build without AVX: MKL and MKL-DNN choose theirs at run time.
        workspace.GlobalInit(["caffe2", "--caffe2_log_level=3", *threads])

    def build(self, network):
        workspace.ResetWorkspace()
        self.names = [weight.name for weight in network.weights]
        self.trainable = [w.name for w in network.weights if w.role in TRAINABLE_ROLES]
        self.training, self.evaluation = core.Net("training"), core.Net("evaluation")
        with core.DeviceScope(self.device):
            kinds = layers.training(network, self.job["batch_size"], self.host)
            self._add_update(self._add_layers(self.training, network, kinds))
            self.logits = self._add_layers(self.evaluation, network, layers.evaluation(network))
        for number, operator in enumerate(self.training.Proto().op):
            operator.device_option.random_seed = self.job["seed"] + number
        self._feed(
            images=numpy.empty((1, *network.input.shape), numpy.float32),
            labels=numpy.empty(1, numpy.int32),
            one=numpy.ones(1, numpy.float32),
            learning_rate=numpy.array([self.job["learning_rate"]], numpy.float32),
            weight_decay=numpy.array([self.job["weight_decay"]], numpy.float32),
        )
        self.is_created = False

    def load(self, weights):
        self._feed(**weights)
        self._feed(**{velocity(name): numpy.zeros_like(weights[name]) for name in self.trainable})
        if not self.is_created:  # which takes all blobs that the nets begin with
            for net in (self.training, self.evaluation):
                net.Proto().type = NET_TYPE
                workspace.CreateNet(net)
            self.is_created = True

    def weights(self):
        return {name: workspace.FetchBlob(name) for name in self.names}

    def batch(self, images, labels):
        return images, labels.astype(numpy.int32)

    def batches(self, split):
        index = dataset.of_job(self.job)
        read = readers.choose(lmdb, index, self.job)
        batches = dataset.normalised(read, index, split, self.job["batch_size"])
        return prefetch(self.batch(*batch) for batch in batches)

    def train_step(self, batch):
        images, labels = batch
        self._feed(images=images, labels=labels)
        workspace.RunNet(self.training)
        return workspace.FetchBlob("loss")

    def predict(self, batch):
        images, labels = batch
        self._feed(images=images)
        workspace.RunNet(self.evaluation)
        return workspace.FetchBlob(self.logits), labels.astype(numpy.int64)

    def synchronise(self):
        """Nothing is left to wait for: a net has run when RunNet returns."""

    def describe(self):
        torch = Path(workspace.__file__).parents[2] / "torch"  # whose library holds Caffe2
        path = str(torch / "lib" / "libtorch.so")
        library = ctypes.CDLL(path)
        library.mkldnn_version.restype = ctypes.POINTER(ctypes.c_int)
        mkl_dnn = ".".join(str(number) for number in library.mkldnn_version()[:3])
        return {
            "framework": "caffe2",
            "version": runpy.run_path(str(torch / "version.py"))["__version__"],
            "threads": library.omp_get_max_threads(),
            "libraries": {"MKL": mkl.version(path), "MKL-DNN": mkl_dnn},
            "flags": {"net_type": NET_TYPE, **self.mkl_settings},
            "devices": [caffe2_pb2.DeviceTypeProto.Name(self.device.device_type)],
            "device_batch_size": self.job["batch_size"],
        }

    def _feed(self, **arrays):
        for name, array in arrays.items():
            workspace.FeedBlob(name, array, self.host if name in ON_HOST else self.device)

    def _add_layers(self, net, network, kinds):
        net.AddExternalInput("images")
        images = core.BlobReference("images", net)
        return forward(network, kinds, images, {name: name for name in self.names})

    def _add_update(self, logits):
        """The loss, its gradients and, for each trainable weight, decay and momentum in place."""
        net, momentum = self.training, self.job["momentum"]
        _, loss = net.SoftmaxWithLoss([logits, "labels"], ["softmax", "loss"])
        gradients = net.AddGradientOperators([loss])
        for name in self.trainable:
            moving = velocity(name)
            gradient = layers.plain(net, gradients[name], name + "/gradient")
            net.WeightedSum([gradient, "one", name, "weight_decay"], gradient)
            inputs, outputs = [gradient, moving, "learning_rate", name], [gradient, moving, name]
            net.MomentumSGDUpdate(inputs, outputs, momentum=momentum, nesterov=0)


def velocity(name):
    """The blob of a weight's velocity."""
    return name + "/velocity"
