"""The update in Theano: expressions of shared variables."""

import itertools
from typing import Dict, List, Tuple

import numpy
import theano
from theano import Variable, tensor

from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

Updates = List[Tuple[Variable, Variable]]
"""Shared variables and their new values."""


class Optimiser:
    """An update rule, and shared variables for the momenta, the rate and the number of steps."""

    def __init__(self, network: Network, update_rule: UpdateRule) -> None:
        self.update_rule = update_rule
        self.trained = network.trainable
        kinds = range(update_rule.moment_count)
        self.moments = {
            weight.name: [theano.shared(numpy.zeros(weight.shape, numpy.float32)) for _ in kinds]
            for weight in self.trained
        }
        self.rate, self.step_count = (theano.shared(numpy.float32(0)) for _ in range(2))

    def reset(self) -> None:
        """Set momenta and step count to 0 and the rate to the first one."""
        for moment in itertools.chain([self.step_count], *self.moments.values()):
            moment.set_value(numpy.zeros_like(moment.get_value()))
        self.set_rate(self.update_rule.learning_rate)

    def set_rate(self, rate: float) -> None:
        """Set the rate from the next step on."""
        self.rate.set_value(numpy.float32(rate))

    def updates(self, values: Dict[str, Variable], gradients: Dict[str, Variable]) -> Updates:
        """The updates of a step."""
        step = self.step_count + numpy.float32(1)
        update = (self._plain, self._sgd, self._adam)[self.update_rule.moment_count]
        updates: Updates = [(self.step_count, step)] if self.update_rule.optimiser == "adam" else []
        for weight in self.trained:
            value, decay = values[weight.name], numpy.float32(self.update_rule.decay(weight))
            gradient = gradients[weight.name] + decay * value
            rate = self.rate * numpy.float32(self.update_rule.factor(weight))
            of_moments, move = update(self.moments[weight.name], rate, gradient, step)
            updates += [*of_moments, (value, value - move)]
        return updates

    def _plain(
        self, moments: List[Variable], rate: Variable, gradient: Variable, step: Variable
    ) -> Tuple[Updates, Variable]:
        return [], rate * gradient

    def _sgd(
        self, moments: List[Variable], rate: Variable, gradient: Variable, step: Variable
    ) -> Tuple[Updates, Variable]:
        (velocity,) = moments
        moved = numpy.float32(self.update_rule.momentum) * velocity + rate * gradient
        return [(velocity, moved)], moved

    def _adam(
        self, moments: List[Variable], rate: Variable, gradient: Variable, step: Variable
    ) -> Tuple[Updates, Variable]:
        beta1, beta2 = map(numpy.float32, BETAS)
        one, epsilon = numpy.float32(1), numpy.float32(self.update_rule.epsilon)
        old_m, old_v = moments
        m = beta1 * old_m + (one - beta1) * gradient
        v = beta2 * old_v + (one - beta2) * tensor.sqr(gradient)
        scale = tensor.sqrt(one - beta2**step) / (one - beta1**step)
        return [(old_m, m), (old_v, v)], rate * scale * m / (tensor.sqrt(v) + epsilon)
