"""Environment files: what a framework needs, in conda's own format."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from trainmark.environments import Unavailable
from trainmark.study import releases
from trainmark.study.releases import Release

NOT_ONLY_CONDAS = {"python", "pip", "setuptools", "wheel"}
"""What an environment has without conda, or needs no more of, under conda's names."""
CHANNELS = ("conda-forge", "nodefaults")


@dataclass(frozen=True)
class Specification:
    """What an environment has: its Python, pip requirements, conda packages and variables.

    path: its file, or the table of a framework's releases; release: its name in such a table;
    conditions: what the lock of a release depends on.
    conda_packages: what only conda has, such as 'pygpu=0.7.6'; channels: where conda has it from.
    """

    path: Path
    python: str
    requirements: tuple[str, ...]
    conda_packages: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    release: str | None = None
    conditions: str = ""
    channels: tuple[str, ...] = CHANNELS

    @property
    def name(self) -> str:
        """The environment's name."""
        return self.release or self.path.stem

    @property
    def lock(self) -> Path:
        """Its hashed lock, beside its file."""
        return self.path.with_name(f"{self.name}.lock")

    def require_no_conda(self) -> None:
        """Raise Unavailable unless pip packages are all that this file asks for."""
        if self.conda_packages:
            packages = ", ".join(self.conda_packages)
            raise Unavailable(f"{self.path} asks for conda's {packages}: run with --sdm conda")

    def require_clear_python(self) -> None:
        """Raise Unavailable unless one minor version of Python is named."""
        if not re.fullmatch(r"\d+\.\d+(\.\d+)?", self.python):
            raise Unavailable(f"{self.path} must name its Python as in 'python=3.11'")


def read(path: Path) -> Specification:
    """Read a conda environment file."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    dependencies = content.get("dependencies", [])
    entries = {_package(entry)[0]: entry for entry in dependencies if isinstance(entry, str)}
    return Specification(
        path,
        python=_package(entries.get("python", ""))[1],
        requirements=_requirements(dependencies),
        conda_packages=tuple(entries[name] for name in sorted(entries.keys() - NOT_ONLY_CONDAS)),
        variables=_variables(content),
        channels=tuple(content.get("channels", CHANNELS)),
    )


def find(environment: str, file: Path) -> Specification:
    """An environment of a file, which is its own or the table that it is a release of.

    Raises Unavailable where the table says so, or where its Python isn't clear.
    """
    if file.stem != environment:
        return of_release(releases.read(file)[environment], file)
    specification = read(file)
    specification.require_clear_python()
    return specification


def of_release(release: Release, table: Path) -> Specification:
    """The environment of a release; raises Unavailable where its table says that there is none."""
    if release.unavailable:
        raise Unavailable(release.unavailable)
    return Specification(
        table,
        release.python,
        release.requirements,
        release=release.environment,
        conditions=release.conditions,
    )


def _package(entry: str) -> tuple[str, str]:
    """Split 'conda-forge::python=3.11' into ('python', '3.11')."""
    name, _, version = entry.split("::")[-1].partition("=")
    return name.strip(), version.strip("= ")


def _requirements(dependencies: list[Any]) -> tuple[str, ...]:
    groups = [entry.get("pip", []) for entry in dependencies if isinstance(entry, dict)]
    return tuple(requirement for group in groups for requirement in group)


def _variables(content: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in (content.get("variables") or {}).items()}
