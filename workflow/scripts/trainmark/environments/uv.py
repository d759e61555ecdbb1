"""Calling uv, which makes the environments, with the machine's own package sources."""

import subprocess
import sys
from pathlib import Path

from trainmark.environments import Unavailable
from trainmark.environments.commands import clean_environment
from trainmark.environments.package_sources import machine_sources
from trainmark.parent import attached

FOLDER = Path(sys.executable).parent
"""Where the host environment has its programs."""


def uv(*arguments: str, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the host environment's uv; the caller judges its exit status.

    variables: environment variables of this call, over the machine's package sources.
    """
    program = FOLDER / "uv"
    if not program.exists():
        raise Unavailable(f"there is no uv in {FOLDER}: run `make setup`")
    return subprocess.run(
        attached(program, *arguments),
        input=stdin,
        env=clean_environment() | machine_sources() | variables,
        capture_output=True,
        text=True,
    )
