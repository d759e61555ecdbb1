"""Recipes: what an environment needs beyond its pip packages.

A recipe is a file here, found by its environment's name. It completes the build for GPUs and the
releases too.

    def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
        '''Complete the virtual environment in `folder`, whose interpreter is `python`.

        Returns the environment variables that its workers need. lock_folder: where the environment
        file stands, and beside it a lock of the recipe's own. Raises Unavailable.
        '''

    def variables(folder: Path) -> dict[str, str]:
        '''The environment variables that its workers need, whoever made the environment.

        folder: where its bin and lib are. To be left out where there are none.
        '''

    LOCKS: tuple[str, ...]
    '''The files that it installs from, beside the environment's. To be left out where none are.'''

It goes without root, writes into `folder` and nowhere else but a cache, and leaves the host as it
is. What it compiles stands in a folder of its name.
"""

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from trainmark.study import builds


class Recipe(Protocol):
    """A recipe's module."""

    def build(self, python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
        """See above."""


def variables(environment: str, folder: Path) -> dict[str, str]:
    """Variables that workers need even in an environment made without its build recipe."""
    return getattr(find(environment), "variables", lambda folder: {})(folder)


def locks(environment: str, folder: Path) -> list[Path]:
    """The files that a recipe installs from; `folder` is that of the environment's file."""
    return [folder / name for name in getattr(find(environment), "LOCKS", ())]


def find(environment: str) -> Recipe | None:
    """The recipe of an environment, or None where pip packages are all that it needs."""
    name = builds.recipe(environment)
    if not Path(__file__).with_name(f"{name}.py").exists():
        return None
    return cast(Recipe, import_module(f"{__name__}.{name}"))
