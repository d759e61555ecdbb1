"""Projected gradient descent: small steps along the gradient's signs from a random start.

Source: Madry et al. 2018, https://arxiv.org/abs/1706.06083.
"""

from typing import Any

from art.attacks.evasion import ProjectedGradientDescentNumpy

TITLE = "PGD"
TAKES_EPSILON = True
STEPS = 20
STEP = 0.1  # of epsilon
STARTS = 1


def attack(victim: Any, epsilon: float, batch_size: int) -> Any:
    """The attack within epsilon (of pixels from 0 to 1) of the image."""
    return ProjectedGradientDescentNumpy(
        victim,
        eps=epsilon,
        eps_step=STEP * epsilon,
        max_iter=STEPS,
        num_random_init=STARTS,
        batch_size=batch_size,
        verbose=False,
    )
