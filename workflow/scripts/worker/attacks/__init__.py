"""One file per attack, by the Adversarial Robustness Toolbox; they run in its own environment.

At the top of a file stand, as literals that the host reads without importing it:

    TITLE          its name in tables and figures
    TAKES_EPSILON  whether it is given how far it may change a pixel; else it looks for the nearest
                   image that is taken for another class

beside its budget, and

    attack()       the Toolbox's attack on a victim (worker.adversary.victim), in batches of a size
"""

import importlib
from typing import Any


def find(name: str) -> Any:
    """The module of an attack."""
    return importlib.import_module("worker.attacks." + name)
