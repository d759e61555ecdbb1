"""Building a virtual environment from an environment file and its hashed lock."""

import shutil
import subprocess
import sys
from pathlib import Path

from trainmark.environments import Unavailable, interpreters, locks
from trainmark.environments.specification import Specification
from trainmark.environments.uv import clean_environment, useful_line, uv


def build(specification: Specification, lock: Path, folder: Path) -> Path:
    """Make the environment in `folder`, emptied first; returns its interpreter.

    All that is printed on the way goes to standard error. Raises Unavailable with the first
    useful line of it where something fails, and leaves the folder empty.
    """
    _empty(folder)
    specification.require_no_conda()
    locks.check(specification, lock)
    interpreter = interpreters.find(specification.python)
    try:
        create(interpreter, folder)
        _install(specification, lock, folder / "bin" / "python")
    except BaseException:  # an interrupted build must not be mistaken for an environment either
        _empty(folder)
        raise
    return folder / "bin" / "python"


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def create(interpreter: Path, folder: Path) -> None:
    """Make an empty virtual environment, without pip; raises Unavailable."""
    # uv makes no environments of Python 3.6 and 3.7, but installs into those that venv makes.
    command = [str(interpreter), "-I", "-m", "venv", "--without-pip", str(folder)]
    made = subprocess.run(command, env=clean_environment(), capture_output=True, text=True)
    _tell(made, f"{interpreter} made no virtual environment")


def _install(specification: Specification, lock: Path, python: Path) -> None:
    """Install exactly the lock, compiled to bytecode so that no run's import has to."""
    arguments = ("--require-hashes", "--no-deps", "--compile-bytecode", "--requirements", str(lock))
    variables = torch_backend(specification, lock)
    made = uv("pip", "install", "--python", str(python), *arguments, **variables)
    _tell(made, f"{lock} can't be installed")


def torch_backend(specification: Specification, lock: Path) -> dict[str, str]:
    """Name uv's backend where the machine's own sources lack the lock's build of PyTorch."""
    backend = specification.variables.get("UV_TORCH_BACKEND")
    if backend is None:
        return {}
    version = locks.pins(lock.read_text(encoding="utf-8"))["torch"]
    offered = uv("pip", "compile", "--quiet", "--no-deps", "-", stdin=f"torch=={version}")
    return {"UV_TORCH_BACKEND": backend} if offered.returncode else {}


def _tell(made: subprocess.CompletedProcess[str], failure: str) -> None:
    sys.stderr.write(made.stdout + made.stderr)
    if made.returncode:
        raise Unavailable(f"{failure}: {useful_line(made.stderr)}")
