"""Hashed locks of the environments: made by `make lock`, checked before every build.

usage: python -m trainmark.environments.locks PROJECT [releases]
"""

import itertools
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from trainmark.environments import Unavailable
from trainmark.environments.commands import useful_line
from trainmark.environments.specification import Specification, of_release, read
from trainmark.environments.uv import uv
from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.study import releases
from trainmark.study.releases import Release

PIN = re.compile(r"^([\w.-]+)={2,3}([^\s;\\]+)", re.MULTILINE)
HOST_PYTHON = ("--universal", "--python-version", "3.11")
"""The oldest Python of the host environments, and all later ones."""
HEADER = "# Made by `make lock` from {source}; do not edit.\n"


class CannotResolve(TrainmarkError):
    """Requirements that can't be met together, or not from this machine's sources."""


def pins(lock: str) -> dict[str, str]:
    """The versions a lock's text pins, by normalised package name."""
    return {canonicalize_name(name): version for name, version in PIN.findall(lock)}


def split(lock: str, build: str) -> tuple[str, str]:
    """Split a lock's text into the pins of builds of that name (`+cpu`), and all others."""
    all_entries = entries(lock)
    built = [entry for entry in all_entries if entry.partition(" ")[0].endswith(f"+{build}")]
    return "".join(built), "".join(entry for entry in all_entries if entry not in built)


def entries(lock: str) -> list[str]:
    """The parts of a lock's text, each of one package with its hashes."""
    return [entry for entry in re.split(r"^(?=\S)", lock, flags=re.MULTILINE) if entry]


def check(specification: Specification, lock: Path) -> None:
    """Raise Unavailable unless the lock fulfils every requirement of its environment file.

    That of a release must be from the day that its table names, too.
    """
    if not lock.exists():
        raise Unavailable(f"{lock} is missing: run `make lock`")
    if specification.release and not _is_current(specification):
        raise Unavailable(
            f"{lock} is out of date, {specification.path} asks for {specification.conditions}:"
            " run `make lock-releases`"
        )
    pinned = pins(lock.read_text(encoding="utf-8"))
    for requirement in map(Requirement, specification.requirements):
        version = pinned.get(canonicalize_name(requirement.name))
        if version is None or not requirement.specifier.contains(version, prereleases=True):
            raise Unavailable(
                f"{lock} is out of date, {specification.path} asks for {requirement}:"
                " run `make lock`"
            )


def _is_current(specification: Specification) -> bool:
    """Whether a release's lock is there and was resolved under the conditions of its table."""
    lock = specification.lock
    head = HEADER.format(source=specification.path.name) + f"# {specification.conditions}\n"
    return lock.exists() and lock.read_text(encoding="utf-8").startswith(head)


def resolve(specification: Specification) -> str:
    """The hashed lock's text for an environment file.

    If the machine's own package sources have a `+cpu` build, it is uv's first choice for a plain
    `torch==2.13.0`. Else the lock is made again with uv's torch backend, which knows PyTorch's
    index of such builds.
    """
    requirements = "\n".join(specification.requirements)
    arguments = ("--python-version", specification.python, "-")
    text = _compile(*arguments, stdin=requirements)
    backend = specification.variables.get("UV_TORCH_BACKEND")
    if backend and not pins(text)["torch"].endswith(f"+{backend}"):
        text = _compile(*arguments, stdin=requirements, UV_TORCH_BACKEND=backend)
    return _strict(specification.requirements, text)


def _strict(requirements: Iterable[str], text: str) -> str:
    """Pin with `===` the packages that are required so; else another build could be installed."""
    strict = [Requirement(entry) for entry in requirements if "===" in entry]
    names = "|".join(re.escape(requirement.name) for requirement in strict)
    return re.sub(rf"^({names})==", r"\1===", text, flags=re.MULTILINE) if names else text


def resolve_release(release: Release) -> str:
    """The hashed lock's text for a release, with other packages as they were in its time."""
    newer = [
        ("--exclude-newer-package", f"{name}={day}")
        for name, day in release.newer.items()
        if day > release.as_of
    ]
    options = ("--exclude-newer", str(release.as_of), *itertools.chain(*newer))
    requirements = "\n".join(release.requirements)
    text = _compile("--python-version", release.python, *options, "-", stdin=requirements)
    taken = [each for each in entries(text) if not re.match(f"({release.without})==", each)]
    return _strict(release.requirements, "".join(taken))


def resolve_host(project: Path, group: str, *options: str | Path) -> str:
    """The hashed lock's text for a host environment, for its oldest Python and all later ones.

    `group` is the group of pyproject.toml that it has besides the project's dependencies.
    """
    return _compile(*HOST_PYTHON, "--group", group, *map(str, options), str(project))


def resolve_group(project: Path, group: str) -> str:
    """The hashed lock's text for a group of pyproject.toml alone, without the dependencies."""
    return _compile(*HOST_PYTHON, "--group", f"{project}:{group}")


def _compile(*arguments: str, stdin: str = "", **variables: str) -> str:
    options = ("--quiet", "--no-header", "--no-annotate", "--generate-hashes")
    answer = uv("pip", "compile", *options, *arguments, stdin=stdin, **variables)
    if answer.returncode:
        raise CannotResolve(useful_line(answer.stderr))
    return answer.stdout


def main(project: Path) -> None:
    """Write the locks of the host environments, of every environment and every release.

    The host environment with plug-ins has the same versions as the one without.
    """
    host, host_lock = project / "pyproject.toml", project / "requirements.lock"
    _write(host_lock, host, resolve_host(host, "dev"))
    with_plugins = resolve_host(host, "slurm", "--constraints", host_lock)
    _write(project / "requirements-slurm.lock", host, with_plugins)
    _write(project / "requirements-site.lock", host, resolve_group(host, "site"))
    for path in sorted((project / "envs").glob("*.yaml")):
        _write(path.with_suffix(".lock"), path, resolve(read(path)))
    lock_all_releases(project)


def lock_all_releases(project: Path) -> None:
    """Write the locks that the tables of releases lack."""
    for table in sorted((project / "envs" / releases.FOLDER).glob("*.yaml")):
        lock_releases(table)


def lock_releases(table: Path) -> None:
    """Write the locks that a table lacks; those that fulfil their release stay as they are."""
    for release in releases.read(table).values():
        if release.unavailable:
            continue
        specification = of_release(release, table)
        if not _is_current(specification):
            text = f"# {release.conditions}\n{resolve_release(release)}"
            _write(specification.lock, table, text)


def _write(lock: Path, source: Path, text: str) -> None:
    lock.write_text(HEADER.format(source=source.name) + text, encoding="utf-8")
    print(f"{lock}: {len(pins(text))} packages")


if __name__ == "__main__":
    with one_line_errors():
        if sys.argv[2:] == ["releases"]:
            lock_all_releases(Path(sys.argv[1]))
        else:
            main(Path(sys.argv[1]))
