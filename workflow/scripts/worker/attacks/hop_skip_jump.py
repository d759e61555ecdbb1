"""HopSkipJump: along the boundary of the classes by the predicted class alone, without gradients.

Source: Chen et al. 2020, https://arxiv.org/abs/1904.02144.
"""

from typing import Any, Optional

from art.attacks.evasion import HopSkipJump

TITLE = "HopSkipJump"
TAKES_EPSILON = False
STEPS = 5
PREDICTIONS = 200  # at most, of a step's estimate of the boundary's direction


def attack(victim: Any, epsilon: Optional[float], batch_size: int) -> Any:
    """The attack, which takes no epsilon; it looks for the least Euclidean distance."""
    return HopSkipJump(
        victim,
        batch_size=batch_size,
        max_iter=STEPS,
        max_eval=PREDICTIONS,
        verbose=False,
    )
