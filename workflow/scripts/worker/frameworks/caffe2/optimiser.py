"""The update in Caffe2: its own operators, over blobs of the momenta, the rates and the decays."""

from typing import Dict, Tuple

import numpy
from caffe2.python import core

from worker.arrays import Weights
from worker.networks.neutral.builder import Network, Weight
from worker.networks.neutral.update_rule import BETAS, UpdateRule

RATE = "learning_rate"
STEPS = "steps"


class Optimiser:
    """An update rule for a network's trained tensors; rates are on the host, and can change.

    The velocity contains the rates of its gradients, as trainmark's does.
    """

    def __init__(self, network: Network, update_rule: UpdateRule) -> None:
        self.update_rule = update_rule
        self.trained = network.trainable
        self.sign = 1 if update_rule.optimiser == "sgd" else -1  # Caffe2's Adam adds the update

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
            _rate(factor): numpy.array([self.sign * factor * rate], numpy.float32)
            for factor in factors
        }

    def add(self, net: core.Net, weight: Weight, gradient: str) -> None:
        """Add a tensor's update by a gradient's blob, which changes; both on the current device."""
        name, decay = weight.name, self.update_rule.decay(weight)
        if decay:
            net.WeightedSum([gradient, "one", name, _decay(decay)], gradient)
        rate, moments = _rate(self.update_rule.factor(weight)), list(self._moments(name))
        if self.update_rule.optimiser == "sgd":
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
        if self.update_rule.optimiser == "sgd":
            return (name + "/velocity",)
        return (name + "/mean", name + "/mean_square")


def on_host(name: str) -> bool:
    """Whether a blob is in the host's memory on every device."""
    return name.startswith(RATE) or name == STEPS


def _rate(factor: float) -> str:
    return f"{RATE}/{factor:g}"


def _decay(decay: float) -> str:
    return f"weight_decay/{decay:g}"
