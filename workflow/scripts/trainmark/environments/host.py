"""Installing a host environment from its hashed lock, for `make setup`, `slurm` and `site`.

usage: python -m trainmark.environments.host LOCK [PYTHON]

Runs before anything is installed, so it and what it imports need the standard library alone.
"""

import sys

from trainmark.environments.commands import useful_line
from trainmark.environments.uv import uv
from trainmark.errors import TrainmarkError, one_line_errors


class SetUpFailed(TrainmarkError):
    """The host environment can't be installed."""


def install(lock: str, python: str = sys.executable) -> None:
    """Install exactly a lock's packages into the environment of an interpreter (this one).

    Compiled to bytecode, as every call of Snakemake and each of its jobs imports hundreds of them.
    """
    options = ("--quiet", "--require-hashes", "--compile-bytecode", "--requirements", lock)
    made = uv("pip", "install", "--python", python, *options)
    if made.returncode:
        raise SetUpFailed(f"{lock} can't be installed: {useful_line(made.stderr)}")


if __name__ == "__main__":
    with one_line_errors():
        install(*sys.argv[1:])
