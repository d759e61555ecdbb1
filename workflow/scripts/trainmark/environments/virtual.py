"""Building a virtual environment from an environment file, its hashed lock and its recipe."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trainmark.environments import Unavailable, interpreters, locks, recipes
from trainmark.environments.commands import clean_environment, require_success, run
from trainmark.environments.library_path import joined
from trainmark.environments.specification import Specification
from trainmark.environments.uv import uv
from trainmark.parent import attached


def build(specification: Specification, folder: Path) -> tuple[Path, dict[str, str]]:
    """Make the environment in `folder`, emptied first; returns its interpreter and variables.

    All that is printed on the way goes to standard error. Raises Unavailable with the first
    useful line of it where something fails, and leaves the folder empty.
    """
    _empty(folder)
    specification.require_no_conda()
    locks.check(specification, specification.lock)
    with _all_or_nothing(folder):
        create(interpreters.find(specification.python), folder)
        return _complete(specification, folder)


def build_on_conda(
    specification: Specification, folder: Path, prefix: Path
) -> tuple[Path, dict[str, str]]:
    """The same on the Python, and beside the packages, of the environment of conda at `prefix`."""
    _empty(folder)
    locks.check(specification, specification.lock)
    options = ["--system-site-packages"] if specification.conda_packages else []
    with _all_or_nothing(folder):
        create(prefix / "bin" / "python", folder, *options)
        python, variables = _complete(specification, folder)
    if specification.conda_packages:
        variables = joined(variables, prefix / "lib")
    return python, variables


def missing_python(folder: Path) -> Path | None:
    """The interpreter that an environment is made of, if it is no more."""
    python = folder / "bin" / "python"
    return python.resolve() if python.is_symlink() and not python.exists() else None


@contextmanager
def _all_or_nothing(folder: Path) -> Iterator[None]:
    """Empty the folder again unless all goes well."""
    try:
        yield
    except OSError as error:
        _empty(folder)
        raise Unavailable(f"{error.filename or folder}: {error.strerror}") from error
    except BaseException:  # an interrupted build must not be mistaken for an environment either
        _empty(folder)
        raise


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def create(interpreter: Path, folder: Path, *options: str) -> None:
    """Make an empty virtual environment, without pip; raises Unavailable."""
    # uv makes no environments of Python 3.6 and 3.7, but installs into those that venv makes.
    command: list[str | Path] = [interpreter, "-I", "-m", "venv", "--without-pip", *options, folder]
    run(command, f"{interpreter} made no virtual environment")


def _complete(specification: Specification, folder: Path) -> tuple[Path, dict[str, str]]:
    """Install the lock and what the recipe adds; returns interpreter and variables."""
    python = folder / "bin" / "python"
    _install(specification, python)
    recipe = recipes.find(specification.name)
    added = recipe.build(python, folder, specification.lock.parent) if recipe else {}
    return python, specification.variables | added


def _install(specification: Specification, python: Path) -> None:
    """Install exactly the lock, compiled to bytecode so that no run's import has to."""
    arguments = ("--require-hashes", "--no-deps", "--requirements", "-")
    for pinned, variables in _sources(specification):
        made = uv("pip", "install", "--python", str(python), *arguments, stdin=pinned, **variables)
        require_success(made, f"{specification.lock} can't be installed")
    _compile(python)


def _sources(specification: Specification) -> list[tuple[str, dict[str, str]]]:
    """The parts of the lock, each with uv's variables for where it is from.

    Where the machine's own sources lack the lock's build of PyTorch, uv's backend has it. A backend
    takes whatever belongs to PyTorch from there alone, torchvision too. So only what the lock pins
    to a build for that backend is asked of it.
    """
    text = specification.lock.read_text(encoding="utf-8")
    backend = specification.variables.get("UV_TORCH_BACKEND")
    if backend is None:
        return [(text, {})]
    options = ("--quiet", "--no-deps", "--python-version", specification.python, "-")
    offered = uv("pip", "compile", *options, stdin=f"torch=={locks.pins(text)['torch']}")
    if offered.returncode == 0:
        return [(text, {})]
    built, others = locks.split(text, build=backend)
    return [(built, {"UV_TORCH_BACKEND": backend}), (others, {})]


def _compile(python: Path) -> None:
    """Compile what is installed; files that are for another version of Python stay as they are."""
    # uv can do this from Python 3.7 on.
    packages = str(python.parents[1] / "lib")
    command = attached(python, "-I", "-m", "compileall", "-qq", "-j0", packages)
    subprocess.run(command, env=clean_environment())
