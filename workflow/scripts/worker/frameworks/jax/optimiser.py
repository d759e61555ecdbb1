"""The update in JAX: functions of trees, compiled with the step."""

from typing import Any, Callable, Dict, List, Tuple

import jax
from jax import numpy as jnp
from jax.tree_util import tree_map

from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

Values = Dict[str, jax.Array]
Moments = Any
"""A tree: the velocity of each tensor, or Adam's step count and each tensor's two means."""


class Optimiser:
    """An update rule for a network's trained tensors."""

    def __init__(self, network: Network, update_rule: UpdateRule) -> None:
        self.update_rule = update_rule
        self.trained = network.trainable
        self.step: Callable[..., Tuple[Values, Moments]] = {"sgd": self._sgd, "adam": self._adam}[
            update_rule.optimiser
        ]

    def moments(self, values: Values) -> Moments:
        """The moments before the first step."""
        zeros: List[Values] = [tree_map(jnp.zeros_like, values) for _ in BETAS]
        return zeros[0] if self.update_rule.optimiser == "sgd" else (jnp.zeros(()), *zeros)

    def _decayed(self, values: Values, gradients: Values) -> Values:
        decays = {weight.name: self.update_rule.decay(weight) for weight in self.trained}
        return {name: gradients[name] + decays[name] * values[name] for name in values}

    def _rates(self, rate: jax.Array) -> Values:
        return {weight.name: rate * self.update_rule.factor(weight) for weight in self.trained}

    def _sgd(
        self, values: Values, velocity: Moments, rate: jax.Array, gradients: Values
    ) -> Tuple[Values, Moments]:
        def move(velocity: jax.Array, rate: jax.Array, gradient: jax.Array) -> jax.Array:
            return self.update_rule.momentum * velocity + rate * gradient

        gradients = self._decayed(values, gradients)
        velocity = tree_map(move, velocity, self._rates(rate), gradients)
        return tree_map(jnp.subtract, values, velocity), velocity

    def _adam(
        self, values: Values, moments: Moments, rate: jax.Array, gradients: Values
    ) -> Tuple[Values, Moments]:
        gradients = self._decayed(values, gradients)
        step_count, first, second = moments
        (beta1, beta2), step_count = BETAS, step_count + 1
        first = tree_map(lambda m, g: beta1 * m + (1 - beta1) * g, first, gradients)
        second = tree_map(lambda v, g: beta2 * v + (1 - beta2) * g * g, second, gradients)
        scale = jnp.sqrt(1 - beta2**step_count) / (1 - beta1**step_count)

        def moved(value: jax.Array, rate: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
            return value - rate * scale * m / (jnp.sqrt(v) + self.update_rule.epsilon)

        values = tree_map(moved, values, self._rates(rate), first, second)
        return values, (step_count, first, second)
