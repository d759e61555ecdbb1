"""The update rule of a training step: how each trainable tensor w changes by its gradient g.

First g += decay * w. Then, with r = the step's learning rate * the tensor's factor, by `sgd`:

    v = momentum * v + r * g
    w -= v

The velocity v includes the rate, as in Caffe: when the rate changes, earlier gradients' part of the
velocity keeps its earlier rate. By `adam` (Kingma & Ba 2014, end of section 2), in step t:

    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g^2
    w -= r * sqrt(1 - 0.999^t) / (1 - 0.9^t) * m / (sqrt(v) + epsilon)

TensorFlow and Caffe use epsilon in this way; if a framework scales it, its adapter compensates.
"""

import math
from typing import Any, Dict, Mapping, NamedTuple, Tuple, Union

from worker.job import Job
from worker.networks.neutral.layer import Weight

BETAS = (0.9, 0.999)
EPSILON = 1e-8

PROOF_RATE = 0.01
"""The factor between a small gradient and the move of its tensor, in Adam's form for the proof."""


class UpdateRule(NamedTuple):
    """How a job updates weights.

    optimiser: "sgd" or "adam"; learning_rate: the rate of the first step; schedule: how the rate
    changes, see rate(), or empty for a constant rate; bias_rate: the factor of biases' rate;
    weight_decay: one for all tensors, or a mapping from tensors' names; epsilon: Adam's.
    """

    optimiser: str
    learning_rate: float
    schedule: Dict[str, Dict[str, Any]]
    bias_rate: float
    momentum: float
    weight_decay: Union[float, Dict[str, float]]
    epsilon: float = EPSILON

    def rate(self, step: int) -> float:
        """The learning rate of a step; steps count from 0.

        Schedule `inverse`: learning_rate * (1 + gamma * step)^-power. Schedule `steps`: multiplied
        by `factor` after every `every` steps, or at each step that `at` lists.
        """
        return self.learning_rate * self._share(step)

    def _share(self, step: int) -> float:
        """The rate of a step, relative to the first step's."""
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

    @property
    def moment_count(self) -> int:
        """The arrays that each tensor needs beside it: a velocity, or Adam's two means."""
        if self.optimiser == "adam":
            return len(BETAS)
        return 1 if self.momentum else 0

    def factor(self, weight: Weight) -> float:
        """The factor of a tensor's learning rate."""
        return self.bias_rate if weight.role == "bias" else 1.0

    def decay(self, weight: Weight) -> float:
        """The weight decay of a tensor."""
        if isinstance(self.weight_decay, dict):
            return self.weight_decay.get(weight.name, 0.0)
        return self.weight_decay

    def group(self, weight: Weight) -> Tuple[float, float]:
        """Factor and decay of a tensor; tensors that share both are updated alike."""
        return self.factor(weight), self.decay(weight)

    def for_proof(self) -> "UpdateRule":
        """The update rule for the comparison of first steps with the reference's.

        By Adam's own epsilon, the first step moves each weight by the whole rate, whatever the size
        of its gradient. With an epsilon of 1 the move is proportional to a small gradient.
        """
        constant = self._replace(schedule={})
        if self.optimiser == "sgd":
            return constant
        return constant._replace(epsilon=1.0, learning_rate=PROOF_RATE / math.sqrt(1 - BETAS[1]))

    def is_built_as(self, other: "UpdateRule") -> bool:
        """Whether both update rules differ in learning rates alone, which set_rate() can change."""
        return self._static() == other._static()

    def _static(self) -> "UpdateRule":
        return self._replace(learning_rate=0.0, schedule={})


def of_settings(settings: Mapping[str, Any]) -> UpdateRule:
    """The update rule of a configuration's settings, which have the names of a job's fields."""
    return UpdateRule(**{name: settings[name] for name in UpdateRule._fields if name != "epsilon"})


def of_job(job: Job) -> UpdateRule:
    """The update rule of a job."""
    return of_settings(job._asdict())


def correction(step: int) -> float:
    """Adam's factor of the rate in a step; steps count from 1."""
    return math.sqrt(1 - BETAS[1] ** step) / (1 - BETAS[0] ** step)
