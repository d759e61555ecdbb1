"""DeepFool: steps to the nearest boundary of the classes, as if these were planes.

Source: Moosavi-Dezfooli et al. 2016, https://arxiv.org/abs/1511.04599.
"""

from typing import Any, Optional

from art.attacks.evasion import DeepFool

TITLE = "DeepFool"
TAKES_EPSILON = False
STEPS = 50
OVERSHOOT = 0.02  # the authors' own


def attack(victim: Any, epsilon: Optional[float], batch_size: int) -> Any:
    """The attack, which takes no epsilon."""
    return DeepFool(victim, max_iter=STEPS, epsilon=OVERSHOOT, batch_size=batch_size, verbose=False)
