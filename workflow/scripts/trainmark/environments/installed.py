"""The installed lock: what an environment contains, or why it is unavailable."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.environments import Unavailable
from trainmark.environments.commands import clean_environment, useful_line
from trainmark.files import file_digest, sealed, write_json
from trainmark.study import plugins

INVENTORY = plugins.SCRIPTS / "worker" / "libraries" / "inventory.py"
DIGITS = 12
"""How many of a digest's digits tell two locks apart."""


def available(
    environment: str, interpreter: Path, variables: dict[str, str], locks: Iterable[Path] = ()
) -> dict[str, Any]:
    """The installed lock of an environment that works, read from inside it.

    locks: those of its recipe. They stand among the packages, with their digests for versions.
    """
    inventory = take_inventory(interpreter)
    of_recipe = {path.name: file_digest(path)[:DIGITS] for path in locks}
    return {
        "environment": environment,
        "status": "available",
        "reason": None,
        "interpreter": relative(interpreter),
        "python": inventory["python"],
        "packages": inventory["packages"] | of_recipe,
        "variables": variables,
    }


def unavailable(environment: str, reason: str) -> dict[str, Any]:
    """The installed lock of an environment that can't be had."""
    return {
        "environment": environment,
        "status": "unavailable",
        "reason": reason,
        "interpreter": None,
        "python": None,
        "packages": {},
        "variables": {},
    }


def take_inventory(interpreter: Path) -> dict[str, Any]:
    """Python's version and the installed packages, as the environment itself sees them."""
    answer = subprocess.run(
        [interpreter, "-I", INVENTORY], env=clean_environment(), capture_output=True, text=True
    )
    if answer.returncode:
        raise Unavailable(f"{interpreter} doesn't run: {useful_line(answer.stderr)}")
    inventory: dict[str, Any] = json.loads(answer.stdout)
    return inventory


def relative(interpreter: Path) -> str:
    """A path relative to the working folder where it lies inside, absolute elsewhere."""
    path = Path.cwd() / interpreter
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def write(lock: dict[str, Any], path: Path) -> None:
    """Write an installed lock; the same environment gives the same bytes."""
    in_order = json.loads(json.dumps(lock, sort_keys=True))  # packages, too
    write_json(sealed(in_order), path)
