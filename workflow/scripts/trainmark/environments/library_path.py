"""LD_LIBRARY_PATH: where the programs of an environment look for shared libraries first."""

import os
from collections.abc import Mapping
from pathlib import Path

LIBRARY_PATH = "LD_LIBRARY_PATH"


def joined(variables: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Variables with a further folder of libraries, behind those that LD_LIBRARY_PATH has."""
    paths = [path for path in (variables.get(LIBRARY_PATH), str(folder)) if path]
    return {**variables, LIBRARY_PATH: os.pathsep.join(paths)}


def with_the_users(variables: Mapping[str, str]) -> dict[str, str]:
    """LD_LIBRARY_PATH: an environment's own, and the user's behind it.

    A module's or a container's Python may need the user's, and a worker inherits no more.
    """
    paths = [path for path in (variables.get(LIBRARY_PATH), os.environ.get(LIBRARY_PATH)) if path]
    return {LIBRARY_PATH: os.pathsep.join(paths)} if paths else {}
