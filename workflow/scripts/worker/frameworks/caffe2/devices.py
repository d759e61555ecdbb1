"""Several devices in Caffe2: each has the same operators, over blobs in its own name scope.

Devices exchange blobs as in caffe2.python.data_parallel_model: the first device sums, the others
copy. That module's Parallelize can't be used: it needs models whose operators initialise the
weights, and it keeps the running statistics of the first device.
"""

from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Tuple

import numpy
from caffe2.proto import caffe2_pb2
from caffe2.python import core, workspace

from worker import devices, support
from worker.frameworks.caffe2 import optimiser
from worker.frameworks.caffe2.releases import has_loss
from worker.job import Job

# The device type of a net, and the type for its labels, learning rate and random numbers. On CPUs
# nets run on IDEEP, which is MKL-DNN: Caffe2's own operators are several times slower.
DEVICES = {
    "cpu": (caffe2_pb2.IDEEP, caffe2_pb2.CPU),
    "cuda": (caffe2_pb2.CUDA, caffe2_pb2.CUDA),
}
ENGINE = "GLOO"  # the library for sums over several nodes
WORKERS_OF_A_GPU = 4  # the default of Parallelize


class Replica:
    """One of a job's devices and its blobs; the first device's blobs have no name scope."""

    def __init__(self, kind: str, number: int) -> None:
        self.name = f"device_{number}" if number else ""
        self.device, self.host = (core.DeviceOption(each, number) for each in DEVICES[kind])
        if kind == "cpu" and not has_loss(self.device):
            self.use_own_operators()

    def __str__(self) -> str:
        """Caffe2's name for the kind of device."""
        return caffe2_pb2.DeviceTypeProto.Name(self.device.device_type)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A context in which operators are added to a net for this device and its blobs."""
        with core.NameScope(self.name), core.DeviceScope(self.device):
            yield

    def use_own_operators(self) -> None:
        """Run Caffe2's own operators in place of MKL-DNN's."""
        self.device = self.host

    def blob(self, name: str) -> str:
        """The name of this device's blob in the workspace that all devices share."""
        return f"{self.name}/{name}" if self.name else name

    def feed(self, **arrays: numpy.ndarray) -> None:
        for name, array in arrays.items():
            option = self.host if name == "labels" or optimiser.on_host(name) else self.device
            workspace.FeedBlob(self.blob(name), array, option)

    def fetch(self, name: str) -> numpy.ndarray:
        return workspace.FetchBlob(self.blob(name))


def replicas_of(job: Job) -> List[Replica]:
    """The job's devices on this node; raises events.Unsupported if the node has fewer GPUs."""
    support.check_gpu_count(job, workspace.NumCudaDevices())
    return [Replica(job.device_kind, number) for number in range(job.node_device_count)]


def execution(job: Job) -> caffe2_pb2.NetDef:
    """The type of nets: they run operators one after the other, or several devices' in parallel.

    Several devices use type `dag`, as in Parallelize: async_scheduling has no workers for MKL-DNN.
    CPUs have one worker, whose operators run on all threads. A single GPU uses `dag`, too: type
    `simple` waits for each operator.
    """
    kind, count = job.device_kind, job.node_device_count
    if kind == "cpu" and count == 1:
        return caffe2_pb2.NetDef(type="simple")
    workers = {"cpu": 1, "cuda": WORKERS_OF_A_GPU * count}
    return caffe2_pb2.NetDef(type="dag", num_workers=workers[kind])


def parts(replicas: List[Replica], *arrays: numpy.ndarray) -> Iterator[Tuple[Any, ...]]:
    """Yield each device with its part of arrays of equal length."""
    for number, replica in enumerate(replicas):
        rows = devices.rows(len(arrays[0]), number, len(replicas))
        yield (replica, *(array[rows] for array in arrays))


def one_for_each(replicas: List[Replica], images: numpy.ndarray) -> numpy.ndarray:
    """At least one image for each device, by repeated images: MKL-DNN can't take an empty batch."""
    if len(images) >= len(replicas):
        return images
    return numpy.resize(images, (len(replicas), *images.shape[1:]))


class World:
    """Several nodes that sum blobs, one blob after the other, in the order of a net's operators.

    blob: the common world of the nodes.
    """

    def __init__(self, blob: core.BlobReference) -> None:
        self.blob = blob
        self.before: List[core.BlobReference] = []

    def add_sum(self, net: core.Net, name: str) -> None:
        """Add an operator, on the current device, that sets a blob to its sum over all nodes."""
        inputs, outputs = [self.blob, name], [name]
        net.Allreduce(inputs, outputs, engine=ENGINE, control_input=self.before)
        self.before = [core.ScopedBlobReference(name)]


def add_mean(
    net: core.Net, replicas: List[Replica], name: str, world: Optional[World] = None
) -> None:
    """Add operators that set the blobs of that name, on all devices of all nodes, to their mean.

    The blob `share` contains each device's share of the mean.
    """
    first, *others = replicas
    if not (others or world):
        return
    with first.scope():
        # Copies come first, because not all GPUs can read each other's memory.
        copies = [
            net.Copy(core.BlobReference(other.blob(name)), f"{name}/of_{other.name}")
            for other in others
        ]
        net.WeightedSum([blob for part in (name, *copies) for blob in (part, "share")], name)
        if world:
            world.add_sum(net, name)
    for other in others:
        with other.scope():
            net.Copy(core.BlobReference(first.blob(name)), name)
