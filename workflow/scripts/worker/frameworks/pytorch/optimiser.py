"""The update in PyTorch: torch.optim's, fused."""

import math
from typing import Any, Dict, List, Mapping, Tuple

import torch

from worker.frameworks.pytorch.releases import RELEASE
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

IS_FUSED = RELEASE >= (2, 4)
"""Whether updates are fused: on processors PyTorch has that from 2.4 on."""


class Optimiser:
    """One of torch.optim's optimisers, with a group of parameters for each factor and decay."""

    def __init__(
        self, network: Network, update_rule: UpdateRule, tensors: Mapping[str, torch.Tensor]
    ) -> None:
        self.update_rule, self.rate, self.step_count = update_rule, update_rule.learning_rate, 0
        groups: Dict[Tuple[float, float], List[torch.Tensor]] = {}
        for weight in network.trainable:
            groups.setdefault(update_rule.group(weight), []).append(tensors[weight.name])
        self.factors = [factor for factor, _ in groups]
        self.optimiser = optimiser(
            update_rule,
            [
                {"params": members, "lr": factor * update_rule.learning_rate, "weight_decay": decay}
                for (factor, decay), members in groups.items()
            ],
        )

    def set_rate(self, rate: float) -> None:
        """Set the rate from the next step on.

        PyTorch's velocity is without the rate, trainmark's contains the rate of each gradient's
        step. So the velocity is scaled by the change of the rate.
        """
        for group, factor in zip(self.optimiser.param_groups, self.factors):
            group["lr"] = factor * rate
            if self.update_rule.optimiser == "sgd":
                group["momentum"] = self.update_rule.momentum * self.rate / rate
        self.rate = rate

    def step(self) -> None:
        """Update the parameters by their gradients."""
        self.step_count += 1
        if self.update_rule.optimiser == "adam":  # PyTorch scales its epsilon
            scale = math.sqrt(1 - BETAS[1] ** self.step_count)
            for group in self.optimiser.param_groups:
                group["eps"] = self.update_rule.epsilon / scale
        self.optimiser.step()

    def zero_grad(self) -> None:
        """Release the gradients."""
        for group in self.optimiser.param_groups:  # zero_grad(set_to_none=True) is from 1.7 on
            for parameter in group["params"]:
                parameter.grad = None


def optimiser(update_rule: UpdateRule, groups: List[Dict[str, Any]]) -> torch.optim.Optimizer:
    """PyTorch's optimiser of groups of parameters."""
    fused = {"fused": True} if IS_FUSED else {}
    if update_rule.optimiser == "adam":
        return torch.optim.Adam(groups, betas=BETAS, **fused)
    return torch.optim.SGD(groups, momentum=update_rule.momentum, **fused)
