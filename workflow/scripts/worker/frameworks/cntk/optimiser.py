"""The update in CNTK: its own learners, of the mean gradient, with rates per step."""

from typing import Any, Dict, List, Mapping, Tuple

import cntk

from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

PER_STEP = {"minibatch_size": cntk.learners.IGNORE}  # rates and momenta, not per sample


class Optimiser:
    """A learner for each group of parameters that share factor and decay."""

    def __init__(
        self, network: Network, update_rule: UpdateRule, values: Mapping[str, cntk.Variable]
    ) -> None:
        self.update_rule = update_rule
        groups: Dict[Tuple[float, float], List[cntk.Parameter]] = {}
        for weight in network.weights:
            if isinstance(values[weight.name], cntk.Parameter):
                groups.setdefault(update_rule.group(weight), []).append(values[weight.name])
        self.factors = [factor for factor, _ in groups]
        self.learners = [learner(update_rule, group, members) for group, members in groups.items()]

    def reset(self) -> None:
        """Set momenta to 0 and the rate to the first one."""
        for each in self.learners:
            each.reset_smoothed_gradients()
        self.set_rate(self.update_rule.learning_rate)

    def set_rate(self, rate: float) -> None:
        """Set the rate from the next step on; the velocity contains rates, as trainmark's does."""
        for each, factor in zip(self.learners, self.factors):
            each.reset_learning_rate(rate_schedule(factor * rate))


def learner(
    update_rule: UpdateRule, group: Tuple[float, float], parameters: List[cntk.Parameter]
) -> cntk.learners.Learner:
    """The learner of parameters that share factor and decay."""
    factor, decay = group
    rate = rate_schedule(factor * update_rule.learning_rate)
    common: Dict[str, Any] = dict(PER_STEP, l2_regularization_weight=decay)
    if update_rule.optimiser == "adam":
        beta1, beta2 = (cntk.momentum_schedule(beta, **PER_STEP) for beta in BETAS)
        return cntk.adam(
            parameters,
            rate,
            beta1,
            unit_gain=True,
            variance_momentum=beta2,
            epsilon=update_rule.epsilon,
            **common,
        )
    if not update_rule.momentum:
        return cntk.sgd(parameters, rate, **common)
    momentum = cntk.momentum_schedule(update_rule.momentum, **PER_STEP)
    return cntk.momentum_sgd(parameters, rate, momentum, unit_gain=False, **common)


def rate_schedule(rate: float) -> Any:
    """A constant rate."""
    return cntk.learning_parameter_schedule(rate, **PER_STEP)
