"""One file per attack, by the Adversarial Robustness Toolbox; they run in its own environment.

Each file begins with literals that the host reads without importing it:

    TITLE          its name in tables and figures
    TAKES_EPSILON  whether it is limited to a largest change of a pixel; else it searches for the
                   nearest image of another predicted class

and its budget. It defines

    attack()       the Toolbox's attack on a victim (worker.attacks.harness.victim), in batches

harness/ runs the attacks on a framework's network.
"""

import importlib
from typing import Any


def find(name: str) -> Any:
    """The module of an attack."""
    return importlib.import_module("worker.attacks." + name)
