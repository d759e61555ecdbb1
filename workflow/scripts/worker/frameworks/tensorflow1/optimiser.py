"""The update in TensorFlow 1: its optimisers, one for each factor of the rate."""

from typing import Any, Dict, List

from worker.frameworks.tensorflow1.v1 import tf
from worker.networks.neutral.builder import Weight
from worker.networks.neutral.update_rule import BETAS, UpdateRule


class Optimiser:
    """Operations that update variables by gradients; `rate` and `momentum` are fed."""

    def __init__(
        self,
        update_rule: UpdateRule,
        trained: List[Weight],
        values: Dict[str, Any],
        gradients: List[Any],
    ) -> None:
        self.update_rule = update_rule
        self.rate, self.momentum = (tf.placeholder(tf.float32, ()) for _ in range(2))
        before = set(tf.global_variables())
        groups: Dict[float, List[Any]] = {}
        for weight, gradient in zip(trained, gradients):
            value, decay = values[weight.name], update_rule.decay(weight)
            decayed = gradient + decay * value if decay else gradient
            groups.setdefault(update_rule.factor(weight), []).append((decayed, value))
        self.updates = [
            self._made(self.rate * factor).apply_gradients(pairs)
            for factor, pairs in groups.items()
        ]
        self.reset = tf.variables_initializer(sorted(set(tf.global_variables()) - before, key=name))
        self.begin()

    def begin(self) -> None:
        """Feed what the first step has."""
        self.value = self.update_rule.learning_rate
        self.fed = {self.rate: self.value, self.momentum: self.update_rule.momentum}

    def set_rate(self, rate: float) -> None:
        """Set it for the next step: TensorFlow's velocity is without the rate."""
        self.fed = {self.rate: rate, self.momentum: self.update_rule.momentum * self.value / rate}
        self.value = rate

    def _made(self, rate: Any) -> Any:
        if self.update_rule.optimiser == "adam":
            return tf.train.AdamOptimizer(rate, *BETAS, epsilon=self.update_rule.epsilon)
        if not self.update_rule.momentum:
            return tf.train.GradientDescentOptimizer(rate)
        return tf.train.MomentumOptimizer(rate, self.momentum)


def name(variable: Any) -> str:
    """A variable's name."""
    return str(variable.name)
