"""The update in TensorFlow: its own operations, which change variables in place."""

import itertools
from typing import Any, Callable, Dict, List

import tensorflow as tf

from worker.arrays import Shape
from worker.networks.neutral.builder import Weight
from worker.networks.neutral.update_rule import BETAS, UpdateRule

Variables = Dict[str, tf.Variable]


class Optimiser:
    """Variables for the momenta of each tensor, for rate, momentum and step count.

    `variable` makes a variable of zeros by its shape.
    """

    def __init__(
        self,
        update_rule: UpdateRule,
        trained: List[Weight],
        shapes: Dict[str, Shape],
        variable: Callable[..., tf.Variable],
    ) -> None:
        self.update_rule, self.trained = update_rule, trained
        kinds = range(update_rule.moment_count)
        self.moments = {w.name: [variable(shapes[w.name]) for _ in kinds] for w in trained}
        self.rate, self.momentum, self.step_count = (variable(()) for _ in range(3))
        self.value = update_rule.learning_rate

    def reset(self) -> None:
        """Set momenta and step count to 0 and the rate to the first one."""
        for moment in itertools.chain([self.step_count], *self.moments.values()):
            moment.assign(tf.zeros_like(moment))
        self.value = self.update_rule.learning_rate
        self.rate.assign(self.value)
        self.momentum.assign(self.update_rule.momentum)

    def set_rate(self, rate: float) -> None:
        """Set the rate from the next step on.

        TensorFlow's velocity is without the rate, trainmark's contains the rate of each gradient's
        step. So the velocity is scaled by the change of the rate.
        """
        self.rate.assign(rate)
        self.momentum.assign(self.update_rule.momentum * self.value / rate)
        self.value = rate

    def apply(self, values: Variables, gradients: List[tf.Tensor]) -> None:
        """Update the trained variables among the values, in a graph."""
        if self.update_rule.optimiser == "adam":
            self.step_count.assign_add(1.0)
        update = (self._plain, self._sgd, self._adam)[self.update_rule.moment_count]
        for weight, gradient in zip(self.trained, gradients):
            value, decay = values[weight.name], self.update_rule.decay(weight)
            if decay:
                gradient += decay * value
            rate = self.rate * self.update_rule.factor(weight)
            update(value, self.moments[weight.name], rate, gradient)

    def _plain(
        self, value: tf.Variable, moments: Any, rate: tf.Tensor, gradient: tf.Tensor
    ) -> None:
        tf.raw_ops.ResourceApplyGradientDescent(var=value.handle, alpha=rate, delta=gradient)

    def _sgd(self, value: tf.Variable, moments: Any, rate: tf.Tensor, gradient: tf.Tensor) -> None:
        (velocity,) = moments
        tf.raw_ops.ResourceApplyMomentum(
            var=value.handle,
            accum=velocity.handle,
            lr=rate,
            grad=gradient,
            momentum=self.momentum,
        )

    def _adam(self, value: tf.Variable, moments: Any, rate: tf.Tensor, gradient: tf.Tensor) -> None:
        m, v = moments
        beta1, beta2 = BETAS
        tf.raw_ops.ResourceApplyAdam(
            var=value.handle,
            m=m.handle,
            v=v.handle,
            beta1_power=tf.pow(beta1, self.step_count),
            beta2_power=tf.pow(beta2, self.step_count),
            lr=rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=self.update_rule.epsilon,
            grad=gradient,
        )
