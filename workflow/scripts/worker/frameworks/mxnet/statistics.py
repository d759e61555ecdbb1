"""Running statistics in MXNet: each device's own in training; otherwise their mean, unbiased.

On CPUs MXNet tracks the population variance, trainmark n / (n - 1) times that. As tracking is
linear, a running variance divided by that factor follows trainmark's exactly, and so does the mean
of devices that each start from it. On GPUs cuDNN tracks the unbiased variance, as trainmark does.

Source: https://github.com/apache/mxnet/issues/18751.
"""

from mxnet import gluon, nd

from worker.frameworks.mxnet.devices import Contexts
from worker.job import Job
from worker.networks.neutral.builder import Network, Weight

ROLES = ("running_mean", "running_variance")


class Statistics:
    """The running statistics among a network's parameters.

    devices: their contexts; unbiased: which of the two forms they have.
    """

    def __init__(
        self, network: Network, parameters: gluon.ParameterDict, job: Job, devices: Contexts
    ) -> None:
        size, on_gpu = job.device_batch_size, job.device_kind == "cuda"
        self.unbiased = True
        self.factors = {
            weight.name: 1 if on_gpu else unbiasing(weight, size * layer.shape[1] * layer.shape[2])
            for layer in network.layers
            for weight in layer.weights
            if weight.role in ROLES
        }
        self.parameters, self.devices = parameters, devices

    def set_unbiased(self, unbiased: bool) -> None:
        """Convert them to the unbiased form, or to the one that MXNet tracks."""
        if self.unbiased != unbiased:
            self.unbiased = unbiased
            nd.waitall()  # on the CPU the engine misses that a backward pass still writes them
            for name, factor in self.factors.items():
                arrays = self.parameters[name].list_data()
                self.devices.share(name, arrays, factor if unbiased else 1 / factor)


def unbiasing(weight: Weight, count: int) -> float:
    """The factor that makes a statistic of `count` values unbiased."""
    return count / (count - 1) if weight.role == "running_variance" else 1
