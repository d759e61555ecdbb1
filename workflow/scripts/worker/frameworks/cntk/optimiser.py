"""The update in CNTK: its own learners, of the mean gradient, with rates taken as given."""

from typing import Any, Dict, List, Mapping, Tuple

import cntk

from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

AS_GIVEN = {"minibatch_size": cntk.learners.IGNORE}  # not per sample


class Optimiser:
    """Parameters by rate and decay, a learner for each."""

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
        """Begin anew."""
        for each in self.learners:
            each.reset_smoothed_gradients()
        self.set_rate(self.update_rule.learning_rate)

    def set_rate(self, rate: float) -> None:
        """Set it for the next step; CNTK's velocity holds the rates of its gradients, as ours."""
        for each, factor in zip(self.learners, self.factors):
            each.reset_learning_rate(rate_schedule(factor * rate))


def learner(
    update_rule: UpdateRule, group: Tuple[float, float], parameters: List[cntk.Parameter]
) -> cntk.learners.Learner:
    """The learner of parameters that share factor and decay."""
    factor, decay = group
    rate = rate_schedule(factor * update_rule.learning_rate)
    common: Dict[str, Any] = dict(AS_GIVEN, l2_regularization_weight=decay)
    if update_rule.optimiser == "adam":
        beta1, beta2 = (cntk.momentum_schedule(beta, **AS_GIVEN) for beta in BETAS)
        return cntk.adam(
            parameters,
            rate,
            beta1,
            unit_gain=True,
            variance_momentum=beta2,
            epsilon=update_rule.epsilon,
            **common,
        )
    momentum = cntk.momentum_schedule(update_rule.momentum, **AS_GIVEN)
    return cntk.momentum_sgd(parameters, rate, momentum, unit_gain=False, **common)


def rate_schedule(rate: float) -> Any:
    """A rate that stays."""
    return cntk.learning_parameter_schedule(rate, **AS_GIVEN)
