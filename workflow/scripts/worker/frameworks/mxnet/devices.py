"""Several devices in MXNet: arrays in a list of contexts, one for each device."""

from typing import List

import mxnet
from mxnet import nd

from worker import devices, support
from worker.job import Job

DEVICES = {"cpu": mxnet.cpu, "cuda": mxnet.gpu}


def contexts_of(job: Job) -> List[mxnet.Context]:
    """The contexts of the job's devices; raises events.Unsupported where there are fewer GPUs."""
    kind, count = job.device_kind, job.device_count
    if kind == "cuda":
        support.enough_gpus(job, mxnet.context.num_gpus())
    return [DEVICES[kind](k) for k in range(count)]


def split(array: nd.NDArray, contexts: List[mxnet.Context]) -> List[nd.NDArray]:
    """Copies of an array's equal parts, in order, the k-th one in the k-th context."""
    size, count = len(array), len(contexts)
    return [array[devices.rows(size, k, count)].copyto(c) for k, c in enumerate(contexts)]


def mean(arrays: List[nd.NDArray]) -> nd.NDArray:
    """The mean of arrays in different contexts, in that of the first."""
    if len(arrays) == 1:
        return arrays[0]
    return nd.add_n(*(array.as_in_context(arrays[0].context) for array in arrays)) / len(arrays)


def share(arrays: List[nd.NDArray], factor: float) -> None:
    """Set arrays, in different contexts, to their mean times a factor."""
    shared = mean(arrays) * factor
    for array in arrays:
        shared.copyto(array)
