"""The update in JAX: functions of trees, compiled with the step."""

from typing import Any, Callable, Dict, List, Tuple

import jax
from jax import numpy as jnp
from jax.tree_util import tree_map

from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

Values = Dict[str, jax.Array]
Moments = Any
"""A tree: the velocity of each tensor if any, or Adam's step count and each tensor's two means."""


class Optimiser:
    """An update rule for a network's trained tensors."""

    def __init__(self, network: Network, update_rule: UpdateRule) -> None:
        self.update_rule = update_rule
        self.trained = network.trainable
        steps = self._plain, self._sgd, self._adam
        self.step: Callable[..., Tuple[Values, Moments]] = steps[update_rule.moment_count]

    def moments(self, values: Values) -> Moments:
        """The moments before the first step."""
        kinds = range(self.update_rule.moment_count)
        zeros: List[Values] = [tree_map(jnp.zeros_like, values) for _ in kinds]
        return (jnp.zeros(()), *zeros) if self.update_rule.optimiser == "adam" else zeros

    def _decayed(self, values: Values, gradients: Values) -> Values:
        decays = {weight.name: self.update_rule.decay(weight) for weight in self.trained}
        return {name: gradients[name] + decays[name] * values[name] for name in values}

    def _rates(self, rate: jax.Array) -> Values:
        return {weight.name: rate * self.update_rule.factor(weight) for weight in self.trained}

    def _plain(
        self, values: Values, moments: Moments, rate: jax.Array, gradients: Values
    ) -> Tuple[Values, Moments]:
        def moved(value: jax.Array, rate: jax.Array, gradient: jax.Array) -> jax.Array:
            return value - rate * gradient

        gradients = self._decayed(values, gradients)
        return tree_map(moved, values, self._rates(rate), gradients), moments

    def _sgd(
        self, values: Values, moments: Moments, rate: jax.Array, gradients: Values
    ) -> Tuple[Values, Moments]:
        def move(velocity: jax.Array, rate: jax.Array, gradient: jax.Array) -> jax.Array:
            return self.update_rule.momentum * velocity + rate * gradient

        (velocity,), gradients = moments, self._decayed(values, gradients)
        velocity = tree_map(move, velocity, self._rates(rate), gradients)
        return tree_map(jnp.subtract, values, velocity), [velocity]

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
