"""Recipes: what an environment needs outside of conda beyond its pip packages.

A recipe is a file here, found by its environment's name up to a hyphen: cntk.py completes cntk and
cntk-cuda.

    PROVIDES = ("openmpi",)  # the conda packages of envs/<environment>.yaml that it stands in for

    def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
        '''Complete the virtual environment in `folder`, whose interpreter is `python`.

        Returns the environment variables that its workers need. lock_folder: where the environment
        file stands, and beside it a lock of the recipe's own. Raises Unavailable.
        '''

It goes without root, writes into `folder` and nowhere else but a cache, and leaves the host as it
is. What it compiles stands in a folder of its name.
"""

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast


class Recipe(Protocol):
    """A recipe's module."""

    PROVIDES: tuple[str, ...]

    def build(self, python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
        """See above."""


def find(environment: str) -> Recipe | None:
    """The recipe of an environment, or None where pip packages are all that it needs."""
    name = environment.partition("-")[0]
    if not Path(__file__).with_name(f"{name}.py").exists():
        return None
    return cast(Recipe, import_module(f"{__name__}.{name}"))
