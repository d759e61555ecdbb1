"""Calling uv, which makes the environments, with the machine's own package sources."""

import os
import subprocess
import sys
from pathlib import Path

from trainmark.environments.package_sources import machine_sources
from trainmark.errors import TrainmarkError

# What would tie an environment to the shell or the virtual environment that started us.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")


class UvMissing(TrainmarkError):
    """The host environment has no uv."""


def uv(*arguments: str, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the host environment's uv; the caller judges its exit status.

    variables: environment variables of this call, over the machine's package sources.
    """
    program = Path(sys.executable).with_name("uv")
    if not program.exists():
        raise UvMissing(f"there is no uv beside {sys.executable}: run `make setup`")
    return subprocess.run(
        [program, *arguments],
        input=stdin,
        env=clean_environment() | machine_sources() | variables,
        capture_output=True,
        text=True,
    )


def clean_environment() -> dict[str, str]:
    """The environment of this process without what belongs to another Python."""
    return {name: value for name, value in os.environ.items() if name not in FOREIGN}


def useful_line(log: str) -> str:
    """An error of uv and its first cause on one line, from all that it printed."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if line.startswith("error: "):
            causes = [text for text in lines[number + 1 :] if text.startswith("cause: ")][:1]
            return ": ".join(text.partition(": ")[2] for text in [line, *causes])
    return lines[-1] if lines else "uv said nothing"
