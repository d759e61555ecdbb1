"""Finding a Python interpreter of the version an environment asks for."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from trainmark.environments import Unavailable
from trainmark.environments.uv import uv

PROBE = "import platform; print(platform.python_version())"


def named(interpreter: str) -> Path:
    """The interpreter a user named, by path or by its name on PATH, taken as it is."""
    path = shutil.which(interpreter)
    if path is None or version(Path(path)) is None:
        raise Unavailable(f"machine.interpreters names '{interpreter}', which is no working Python")
    return Path(os.path.abspath(path))  # noqa: PTH100 (a virtual environment's link must stay)


def find(wanted: str) -> Path:
    """The first working interpreter of a version ('3.11', '3.11.7'); raises Unavailable.

    pyenv's come first because they stand for one exact version each, then PATH, then uv's own,
    which uv may have to download.
    """
    searches: tuple[Callable[[str], Iterator[Path]], ...] = (in_pyenv, on_path, managed_by_uv)
    for search in searches:
        for candidate in search(wanted):
            if matches(version(candidate), wanted):
                return candidate
    raise Unavailable(
        f"no Python {wanted} found in {pyenv_versions()}, on PATH or through uv: install it, name"
        " one in the study (machine: interpreters), or run with --sdm conda"
    )


def version(interpreter: Path) -> str | None:
    """The version that an interpreter reports, or None where it doesn't run."""
    try:
        answer = subprocess.run(
            [interpreter, "-I", "-c", PROBE], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # pyenv puts a `python3.6` on PATH that only prints an error unless that version is selected.
    return answer.stdout.strip() if answer.returncode == 0 else None


def matches(version: str | None, wanted: str) -> bool:
    """Whether version '3.11.7' is one of '3.11' (or '3.11.7')."""
    return version is not None and f"{version}.".startswith(f"{wanted}.")


def pyenv_versions() -> Path:
    """The folder in which pyenv keeps its interpreters."""
    root = os.environ.get("PYENV_ROOT")
    return (Path(root) if root else Path.home() / ".pyenv") / "versions"


def in_pyenv(wanted: str) -> Iterator[Path]:
    """Pyenv's interpreters of a version, the newest patch release first."""
    folders = [path for path in pyenv_versions().glob("*") if matches(path.name, wanted)]
    for folder in sorted(folders, key=_numbers, reverse=True):
        yield folder / "bin" / "python"


def on_path(wanted: str) -> Iterator[Path]:
    """Interpreters on PATH, from the most exactly named one to plain `python`."""
    short = ".".join(wanted.split(".")[:2])
    for name in (f"python{short}", "python3", "python"):
        for folder in os.get_exec_path():
            if path := shutil.which(name, path=folder):
                yield Path(path)


def managed_by_uv(wanted: str) -> Iterator[Path]:
    """The interpreter of a version that uv itself manages, downloaded if it isn't there yet."""
    find_it = ("python", "find", "--managed-python", "--no-project", wanted)
    result = uv(*find_it)
    if result.returncode:
        installed = uv("python", "install", "--no-bin", wanted)
        sys.stderr.write(installed.stderr)  # why there is none, if uv can't get it
        if installed.returncode == 0:
            result = uv(*find_it)
    if result.returncode == 0:
        yield Path(result.stdout.strip())


def _numbers(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder.name)]
