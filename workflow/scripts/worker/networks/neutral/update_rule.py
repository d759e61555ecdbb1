"""The update of a training step: what becomes of each trainable tensor w, given its gradient g.

First g += decay * w. Then, with a rate r that is the step's times the tensor's factor, by `sgd`:

    v = momentum * v + r * g
    w -= v

The velocity holds the rate, as in Caffe: where the rate changes, what earlier gradients left in the
velocity keeps the rate that they had. By `adam` (Kingma & Ba 2014, end of section 2), in step t:

    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g^2
    w -= r * sqrt(1 - 0.999^t) / (1 - 0.9^t) * m / (sqrt(v) + epsilon)

This is how TensorFlow and Caffe take epsilon; where a framework scales it, its adapter undoes that.
"""

import math
from typing import Any, Dict, Mapping, NamedTuple, Tuple, Union

from worker.job import Job
from worker.networks.neutral.layer import Weight

BETAS = (0.9, 0.999)
EPSILON = 1e-8

PROOF_RATE = 0.01
"""By which Adam's proof moves a tensor that has a small gradient."""


class UpdateRule(NamedTuple):
    """How a job updates weights.

    optimiser: "sgd" or "adam"; learning_rate: of the first step; schedule: how it goes on, empty
    where it stays, see rate(); bias_rate: the factor of biases; weight_decay: of all tensors, or
    of those that a mapping names; epsilon: Adam's.
    """

    optimiser: str
    learning_rate: float
    schedule: Dict[str, Dict[str, Any]]
    bias_rate: float
    momentum: float
    weight_decay: Union[float, Dict[str, float]]
    epsilon: float = EPSILON

    def rate(self, step: int) -> float:
        """The learning rate of a step, of which the first is 0.

        inverse: (1 + gamma * step)^-power times the first one; steps: times factor after every so
        many steps, or at those that are listed.
        """
        return self.learning_rate * self._share(step)

    def _share(self, step: int) -> float:
        """The rate of a step, relative to that of the first."""
        if "inverse" in self.schedule:
            inverse = self.schedule["inverse"]
            return float((1 + inverse["gamma"] * step) ** -inverse["power"])
        if "steps" in self.schedule:
            steps = self.schedule["steps"]
            if "at" in steps:
                passed = sum(step >= at for at in steps["at"])
            else:
                passed = step // steps["every"]
            return float(steps["factor"] ** passed)
        return 1.0

    def factor(self, weight: Weight) -> float:
        """What the rate of a tensor is multiplied by."""
        return self.bias_rate if weight.role == "bias" else 1.0

    def decay(self, weight: Weight) -> float:
        """The weight decay of a tensor."""
        if isinstance(self.weight_decay, dict):
            return self.weight_decay.get(weight.name, 0.0)
        return self.weight_decay

    def group(self, weight: Weight) -> Tuple[float, float]:
        """Factor and decay of a tensor: those that share both are updated alike."""
        return self.factor(weight), self.decay(weight)

    def for_proof(self) -> "UpdateRule":
        """The update rule by which the first steps are compared with the reference's.

        Adam's first step moves each weight by the whole rate, up or down, whatever the size of its
        gradient. With an epsilon of 1 it moves by the gradient, as long as that is small.
        """
        constant = self._replace(schedule={})
        if self.optimiser == "sgd":
            return constant
        return constant._replace(epsilon=1.0, learning_rate=PROOF_RATE / math.sqrt(1 - BETAS[1]))

    def is_built_as(self, other: "UpdateRule") -> bool:
        """Whether a network built for the other update rule takes this one; rates are set later."""
        return self._static() == other._static()

    def _static(self) -> "UpdateRule":
        return self._replace(learning_rate=0.0, schedule={})


def of_settings(settings: Mapping[str, Any]) -> UpdateRule:
    """The update rule of the settings of a configuration, of which a job has the names, too."""
    return UpdateRule(**{name: settings[name] for name in UpdateRule._fields if name != "epsilon"})


def of_job(job: Job) -> UpdateRule:
    """The update rule of a job."""
    return of_settings(job._asdict())


def correction(step: int) -> float:
    """Adam's factor of the rate in a step, of which the first is 1."""
    return math.sqrt(1 - BETAS[1] ** step) / (1 - BETAS[0] ** step)
