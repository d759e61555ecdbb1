"""A moving average of the weights, TensorFlow's own."""

from typing import Dict

import tensorflow as tf


class Average:
    """The average of variables, from the values that they have now on.

    After n updates its decay is `decay` at most, and (1 + n) / (10 + n) before.
    """

    def __init__(self, variables: Dict[str, tf.Variable], decay: float) -> None:
        self.variables, self.count = variables, tf.Variable(0.0, trainable=False)
        self.average = tf.train.ExponentialMovingAverage(decay, self.count)
        self.update()  # outside of a graph, as it makes variables

    def begin(self) -> None:
        """Begin anew with the variables' present values."""
        self.count.assign(0.0)
        for variable in self.variables.values():
            self.average.average(variable).assign(variable)

    def update(self) -> None:
        """Take in the variables' present values."""
        self.count.assign_add(1.0)
        self.average.apply(list(self.variables.values()))

    def values(self) -> Dict[str, tf.Variable]:
        """The average of each variable, by its name."""
        return {name: self.average.average(each) for name, each in self.variables.items()}
