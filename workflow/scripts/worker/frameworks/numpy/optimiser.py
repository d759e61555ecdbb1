"""The update in NumPy, in the type of the weights."""

from typing import Dict, Tuple

import numpy

from worker.arrays import Weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule, correction

Moments = Dict[str, Tuple[numpy.ndarray, ...]]
"""By tensor: the velocity, or of Adam the mean and the mean square of the gradients."""


class Optimiser:
    """An update rule and its state, on weights that it changes in place."""

    def __init__(self, network: Network, update_rule: UpdateRule, values: Weights) -> None:
        self.trained = network.trainable
        self.update_rule, self.values = update_rule, values
        self.rate, self.step_count = update_rule.learning_rate, 0
        self.moments: Moments = {
            weight.name: (numpy.zeros_like(values[weight.name]),) * 2 for weight in self.trained
        }

    def step(self, gradients: Weights) -> None:
        """Update the weights by their gradients."""
        self.step_count += 1
        move = {"sgd": self._sgd, "adam": self._adam}[self.update_rule.optimiser]
        for weight in self.trained:
            value = self.values[weight.name]
            gradient = gradients[weight.name] + self.update_rule.decay(weight) * value
            rate = self.rate * self.update_rule.factor(weight)
            value -= move(weight.name, gradient, rate).astype(value.dtype)

    def _sgd(self, name: str, gradient: numpy.ndarray, rate: float) -> numpy.ndarray:
        velocity, _ = self.moments[name]
        velocity = self._cast(name, self.update_rule.momentum * velocity + rate * gradient)
        self.moments[name] = (velocity, velocity)
        return velocity

    def _adam(self, name: str, gradient: numpy.ndarray, rate: float) -> numpy.ndarray:
        powers = (gradient, numpy.square(gradient))
        m, v = (
            self._cast(name, beta * old + (1 - beta) * new)
            for beta, old, new in zip(BETAS, self.moments[name], powers)
        )
        self.moments[name] = (m, v)
        return rate * correction(self.step_count) * m / (numpy.sqrt(v) + self.update_rule.epsilon)

    def _cast(self, name: str, moment: numpy.ndarray) -> numpy.ndarray:
        return moment.astype(self.values[name].dtype)
