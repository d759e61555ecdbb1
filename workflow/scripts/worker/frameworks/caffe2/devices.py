"""Several devices in Caffe2: the same operators on each, over blobs in a name scope of its own.

They exchange as caffe2.python.data_parallel_model has it: the first one adds up, the others copy.
Its Parallelize itself is for models whose own operators make the weights, and keeps the running
statistics of the first device.
"""

from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Tuple

import numpy
from caffe2.proto import caffe2_pb2
from caffe2.python import core, workspace

from worker import devices, support
from worker.frameworks.caffe2 import optimiser
from worker.job import Job

# Where a net runs, and where it takes labels and the learning rate from and draws random numbers.
# On CPUs it runs on IDEEP, which is MKL-DNN: Caffe2's own operators are several times slower.
DEVICES = {
    "cpu": (caffe2_pb2.IDEEP, caffe2_pb2.CPU),
    "cuda": (caffe2_pb2.CUDA, caffe2_pb2.CUDA),
}
ENGINE = "GLOO"  # of several nodes
WORKERS_OF_A_GPU = 4  # as many as Parallelize has


class Replica:
    """One of a job's devices and its blobs; the first one's have no scope, as if it were alone."""

    def __init__(self, kind: str, number: int) -> None:
        self.name = f"device_{number}" if number else ""
        self.device, self.host = (core.DeviceOption(each, number) for each in DEVICES[kind])

    def __str__(self) -> str:
        """The kind of device, in Caffe2's words."""
        return caffe2_pb2.DeviceTypeProto.Name(self.device.device_type)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is added to a net works on this device and its blobs."""
        with core.NameScope(self.name), core.DeviceScope(self.device):
            yield

    def use_own_operators(self) -> None:
        """Run Caffe2's own operators also where MKL-DNN's are faster."""
        self.device = self.host

    def blob(self, name: str) -> str:
        """A blob's name among those of all devices."""
        return f"{self.name}/{name}" if self.name else name

    def feed(self, **arrays: numpy.ndarray) -> None:
        for name, array in arrays.items():
            option = self.host if name == "labels" or optimiser.on_host(name) else self.device
            workspace.FeedBlob(self.blob(name), array, option)

    def fetch(self, name: str) -> numpy.ndarray:
        return workspace.FetchBlob(self.blob(name))


def replicas_of(job: Job) -> List[Replica]:
    """The job's devices, of several nodes one's.

    Raises events.Unsupported where there are fewer GPUs.
    """
    support.check_gpu_count(job, workspace.NumCudaDevices())
    return [Replica(job.device_kind, number) for number in range(job.node_device_count)]


def execution(job: Job) -> caffe2_pb2.NetDef:
    """How nets run: operators one after the other, or those of several devices side by side.

    By `dag`, as Parallelize does it, and because async_scheduling has no workers for MKL-DNN. On a
    processor there is one worker, whose operators run on all threads. A GPU has `dag` when alone,
    too: `simple` waits for each operator.
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
    """Images, repeated where they are fewer than devices: MKL-DNN takes no batch of none."""
    if len(images) >= len(replicas):
        return images
    return numpy.resize(images, (len(replicas), *images.shape[1:]))


class World:
    """Several nodes, which add up blobs one after the other, as they are put into a net.

    `blob` is their common world.
    """

    def __init__(self, blob: core.BlobReference) -> None:
        self.blob = blob
        self.before: List[core.BlobReference] = []

    def add_sum(self, net: core.Net, name: str) -> None:
        """Set a blob to the sum of all nodes'; on the present device."""
        inputs, outputs = [self.blob, name], [name]
        net.Allreduce(inputs, outputs, engine=ENGINE, control_input=self.before)
        self.before = [core.ScopedBlobReference(name)]


def add_mean(
    net: core.Net, replicas: List[Replica], name: str, world: Optional[World] = None
) -> None:
    """Set the blobs of that name, one on each device of all nodes, to their mean.

    The blob `share` holds each device's share of it.
    """
    first, *others = replicas
    if not (others or world):
        return
    with first.scope():
        # Copied beforehand, as not every two GPUs reach into each other's memory.
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
