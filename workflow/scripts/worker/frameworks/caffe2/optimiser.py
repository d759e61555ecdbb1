"""The update in Caffe2: its own operators, over blobs of the momenta, the rates and the decays."""

from typing import Dict, Tuple

import numpy
from caffe2.python import core

from worker.arrays import Weights
from worker.networks.neutral.builder import Network, Weight
from worker.networks.neutral.update_rule import BETAS, UpdateRule

RATE = "learning_rate"
PLAIN_RATE = "plain_rate"
"""Of an update without moments: on the device, where it is a factor."""
STEPS = "steps"


class Optimiser:
    """An update rule for a network's trained tensors; rates are on the host, and can change.

    The velocity contains the rates of its gradients, as trainmark's does.
    """

    def __init__(self, network: Network, update_rule: UpdateRule) -> None:
        self.update_rule = update_rule
        self.trained = network.trainable
        self.is_plain = not update_rule.moment_count
        is_added = self.is_plain or update_rule.optimiser == "adam"
        self.sign = -1 if is_added else 1

    def state(self) -> Weights:
        """The values of the blobs before the first step, by name."""
        values: Dict[str, numpy.ndarray] = {
            moment: numpy.zeros(weight.shape, numpy.float32)
            for weight in self.trained
            for moment in self._moments(weight.name)
        }
        if self.update_rule.optimiser == "adam":
            values[STEPS] = numpy.zeros(1, numpy.int64)
        for decay in set(map(self.update_rule.decay, self.trained)):
            values[_decay(decay)] = numpy.array([decay], numpy.float32)
        return dict(values, **self.rates(self.update_rule.learning_rate))

    def rates(self, rate: float) -> Weights:
        """The values of the blobs of a rate, one for each factor."""
        factors = {self.update_rule.factor(weight) for weight in self.trained}
        return {
            self._rate(factor): numpy.array([self.sign * factor * rate], numpy.float32)
            for factor in factors
        }

    def add(self, net: core.Net, weight: Weight, gradient: str) -> None:
        """Add a tensor's update by a gradient's blob, which changes; both on the current device."""
        name, decay = weight.name, self.update_rule.decay(weight)
        if decay:
            net.WeightedSum([gradient, "one", name, _decay(decay)], gradient)
        rate, moments = self._rate(self.update_rule.factor(weight)), list(self._moments(name))
        if self.is_plain:
            net.WeightedSum([name, "one", gradient, rate], name)
        elif self.update_rule.optimiser == "sgd":
            inputs, outputs = [gradient, *moments, rate, name], [gradient, *moments, name]
            net.MomentumSGDUpdate(inputs, outputs, momentum=self.update_rule.momentum, nesterov=0)
        else:
            (beta1, beta2), epsilon = BETAS, self.update_rule.epsilon
            inputs, outputs = [name, *moments, gradient, rate, STEPS], [name, *moments]
            net.Adam(inputs, outputs, beta1=beta1, beta2=beta2, epsilon=epsilon)

    def count(self, net: core.Net) -> None:
        """Add the counter of steps after all updates, where the update rule needs it."""
        if self.update_rule.optimiser == "adam":
            net.Iter(STEPS, STEPS)

    def _moments(self, name: str) -> Tuple[str, ...]:
        names = {0: (), 1: ("/velocity",), 2: ("/mean", "/mean_square")}
        return tuple(name + ending for ending in names[self.update_rule.moment_count])

    def _rate(self, factor: float) -> str:
        return f"{PLAIN_RATE if self.is_plain else RATE}/{factor:g}"


def on_host(name: str) -> bool:
    """Whether a blob is in the host's memory on every device."""
    return name.startswith(RATE) or name == STEPS


def _decay(decay: float) -> str:
    return f"weight_decay/{decay:g}"
