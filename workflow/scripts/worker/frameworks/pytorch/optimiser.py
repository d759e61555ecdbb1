"""The update in PyTorch: torch.optim's, fused."""

import math
from typing import Any, Dict, List, Mapping, Tuple

import torch

from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.networks.neutral.recipe import BETAS, Recipe


class Optimiser:
    """Parameters by rate and decay, one group of torch.optim for each."""

    def __init__(
        self, network: Network, recipe: Recipe, tensors: Mapping[str, torch.Tensor]
    ) -> None:
        self.recipe, self.rate, self.step_count = recipe, recipe.learning_rate, 0
        groups: Dict[Tuple[float, float], List[torch.Tensor]] = {}
        for weight in network.weights:
            if weight.role in TRAINABLE_ROLES:
                groups.setdefault(recipe.group(weight), []).append(tensors[weight.name])
        self.factors = [factor for factor, _ in groups]
        self.own = made(
            recipe,
            [
                {"params": members, "lr": factor * recipe.learning_rate, "weight_decay": decay}
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
            if self.recipe.optimiser == "sgd":
                group["momentum"] = self.recipe.momentum * self.rate / rate
        self.rate = rate

    def step(self) -> None:
        """Update by the gradients that the parameters have."""
        self.step_count += 1
        if self.recipe.optimiser == "adam":  # of which PyTorch scales epsilon
            scale = math.sqrt(1 - BETAS[1] ** self.step_count)
            for group in self.own.param_groups:
                group["eps"] = self.recipe.epsilon / scale
        self.own.step()

    def zero_grad(self) -> None:
        """Release the gradients."""
        self.own.zero_grad(set_to_none=True)


def made(recipe: Recipe, groups: List[Dict[str, Any]]) -> torch.optim.Optimizer:
    """The optimiser of groups of parameters."""
    if recipe.optimiser == "adam":
        return torch.optim.Adam(groups, betas=BETAS, fused=True)
    return torch.optim.SGD(groups, momentum=recipe.momentum, fused=True)
