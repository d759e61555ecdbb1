"""Carlini and Wagner's attack: the least Euclidean distance, by optimisation.

Source: Carlini & Wagner 2017, https://arxiv.org/abs/1608.04644. Their budget is far larger: 9 steps
of the search for the constant, of 10,000 iterations each.
"""

from typing import Any, Optional

from art.attacks.evasion import CarliniL2Method

TITLE = "C&W L2"
TAKES_EPSILON = False
SEARCHES = 4  # for the weight of the loss beside the distance
WEIGHT = 1.0  # the first one; from the Toolbox's 0.01 so few steps get nowhere
STEPS = 20


def attack(victim: Any, epsilon: Optional[float], batch_size: int) -> Any:
    """The attack, which takes no epsilon."""
    return CarliniL2Method(
        victim,
        max_iter=STEPS,
        binary_search_steps=SEARCHES,
        initial_const=WEIGHT,
        batch_size=batch_size,
        verbose=False,
    )
