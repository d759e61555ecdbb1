"""The update in PyTorch: torch.optim's, fused."""

import math
from typing import Any, Dict, List, Mapping, Tuple

import torch

from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule


class Optimiser:
    """Parameters by rate and decay, one group of torch.optim for each."""

    def __init__(
        self, network: Network, update_rule: UpdateRule, tensors: Mapping[str, torch.Tensor]
    ) -> None:
        self.update_rule, self.rate, self.step_count = update_rule, update_rule.learning_rate, 0
        groups: Dict[Tuple[float, float], List[torch.Tensor]] = {}
        for weight in network.weights:
            if weight.role in TRAINABLE_ROLES:
                groups.setdefault(update_rule.group(weight), []).append(tensors[weight.name])
        self.factors = [factor for factor, _ in groups]
        self.own = made(
            update_rule,
            [
                {"params": members, "lr": factor * update_rule.learning_rate, "weight_decay": decay}
                for (factor, decay), members in groups.items()
            ],
        )

    def set_rate(self, rate: float) -> None:
        """Set it for the next step.

        PyTorch's velocity is without the rate, ours has that of each gradient's step: so what it
        carries on is scaled by the change.
        """
        for group, factor in zip(self.own.param_groups, self.factors):
            group["lr"] = factor * rate
            if self.update_rule.optimiser == "sgd":
                group["momentum"] = self.update_rule.momentum * self.rate / rate
        self.rate = rate

    def step(self) -> None:
        """Update by the gradients that the parameters have."""
        self.step_count += 1
        if self.update_rule.optimiser == "adam":  # of which PyTorch scales epsilon
            scale = math.sqrt(1 - BETAS[1] ** self.step_count)
            for group in self.own.param_groups:
                group["eps"] = self.update_rule.epsilon / scale
        self.own.step()

    def zero_grad(self) -> None:
        """Release the gradients."""
        self.own.zero_grad(set_to_none=True)


def made(update_rule: UpdateRule, groups: List[Dict[str, Any]]) -> torch.optim.Optimizer:
    """The optimiser of groups of parameters."""
    if update_rule.optimiser == "adam":
        return torch.optim.Adam(groups, betas=BETAS, fused=True)
    return torch.optim.SGD(groups, momentum=update_rule.momentum, fused=True)
