"""Basic iterative method: the fast gradient sign method in small steps.

Source: Kurakin et al. 2017, https://arxiv.org/abs/1607.02533.
"""

from typing import Any

from art.attacks.evasion import BasicIterativeMethod

TITLE = "BIM"
TAKES_EPSILON = True
STEPS = 10
STEP = 0.1  # of epsilon


def attack(victim: Any, epsilon: float, batch_size: int) -> Any:
    """The attack within epsilon (of pixels from 0 to 1) of the image."""
    return BasicIterativeMethod(
        victim,
        eps=epsilon,
        eps_step=STEP * epsilon,
        max_iter=STEPS,
        batch_size=batch_size,
        verbose=False,
    )
