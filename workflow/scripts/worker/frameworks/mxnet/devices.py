"""Several devices in MXNet: arrays in a list of contexts, one for each device."""

from typing import Any, List

import mxnet
from mxnet import nd

from worker import devices, support
from worker.job import Job

DEVICES = {"cpu": mxnet.cpu, "cuda": mxnet.gpu}


class Contexts:
    """The contexts of a job's devices on one node.

    Raises events.Unsupported where there are fewer GPUs.
    """

    store: Any = "device"
    """The key-value store by which a trainer exchanges gradients."""

    def __init__(self, job: Job) -> None:
        kind, self.count = job.device_kind, job.device_count
        if kind == "cuda":
            support.check_gpu_count(job, mxnet.context.num_gpus())
        self.contexts = [DEVICES[kind](k) for k in range(job.node_device_count)]

    def split(self, array: nd.NDArray) -> List[nd.NDArray]:
        """Copies of an array's equal parts, the k-th part in the k-th context."""
        size, count = len(array), len(self.contexts)
        return [array[devices.rows(size, k, count)].copyto(c) for k, c in enumerate(self.contexts)]

    def mean(self, name: str, arrays: List[nd.NDArray]) -> nd.NDArray:
        """The mean of arrays, one in each context; it is in the first one's context.

        All arrays of a name have the same shape.
        """
        if len(arrays) == 1:
            return arrays[0]
        first = arrays[0].context
        return nd.add_n(*(array.as_in_context(first) for array in arrays)) / len(arrays)

    def share(self, name: str, arrays: List[nd.NDArray], factor: float) -> None:
        """Set arrays, one in each context, to their mean times a factor."""
        shared = self.mean(name, arrays) * factor
        for array in arrays:
            shared.copyto(array)
