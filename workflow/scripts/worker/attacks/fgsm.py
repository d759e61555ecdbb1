"""Fast gradient sign method: one step of epsilon along the gradient's signs.

Source: Goodfellow et al. 2015, https://arxiv.org/abs/1412.6572.
"""

from typing import Any

from art.attacks.evasion import FastGradientMethod

TITLE = "FGSM"
TAKES_EPSILON = True


def attack(victim: Any, epsilon: float, batch_size: int) -> Any:
    """The attack within epsilon (of pixels from 0 to 1) of the image."""
    return FastGradientMethod(victim, eps=epsilon, batch_size=batch_size)
