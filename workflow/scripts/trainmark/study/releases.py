"""Releases of a framework: one table each, envs/releases/<environment>.yaml.

    package: tensorflow-cpu     # pip's name of it
    needs: [pillow]             # what the adapter needs beside it
    releases:
      1.4.0: {released: 2017-11-01, python: "3.6", package: tensorflow, adapter: tensorflow1}
      2.5: {released: 2018-03-17, python: "3.6", unavailable: its wheel lacks a library}

Other packages are locked as they were some weeks after the release, or on the day `as_of`.
workflow/schemas/releases.schema.json has all keys. The lock of a release,
<environment>-<release>.lock, stands beside the table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from trainmark.errors import unknown
from trainmark.study import builds, plugins
from trainmark.study.config import against_schema, study_file
from trainmark.study.config.errors import StudyError

FOLDER = "releases"
"""The folder of the tables, among the environment files."""
ENVIRONMENTS = plugins.SCRIPTS.parents[1] / "envs"
"""The folder of the environment files."""
SELECTORS = {"all": slice(None), "newest": slice(-1, None)}
"""Names of parts of a table, in the place of releases."""
DEPENDENCY_LAG = timedelta(days=45)
"""The time after a release in which the packages that it needs have followed."""


@dataclass(frozen=True)
class Release:
    """One release of a framework.

    Attributes:
        environment: the environment's name, such as tensorflow-1.4.0.
        number: the release's name in the table.
        released: the day of its release.
        python: the version of Python that it is for.
        requirements: what pip installs.
        adapter: the adapter that trains it, None: the framework's own.
        unavailable: why it can't be had, or None.
        as_of: the day whose versions of other packages it gets.
        newer: for other packages, later days than that.
        without: a pattern of the names of packages that it goes without.

    """

    environment: str
    number: str
    released: date
    python: str
    requirements: tuple[str, ...]
    adapter: str | None
    unavailable: str | None
    as_of: date
    newer: dict[str, date] = field(default_factory=dict)
    without: str = "$"

    @property
    def conditions(self) -> str:
        """What its lock depends on, in one line."""
        needs = f"{', '.join(self.requirements)}; Python {self.python}; as of {self.as_of}"
        newer = [f"{name} of {day}" for name, day in self.newer.items() if day > self.as_of]
        without = [f"without {self.without}"] * (self.without != "$")
        return "; ".join([needs, *newer, *without])


def path(environment: str, environments: Path) -> Path:
    """The table of an environment's releases, or of the releases that it is one of."""
    return environments / FOLDER / f"{builds.plain(environment)}.yaml"


def find(environment: str, environments: Path) -> Release | None:
    """The release whose environment has this name, or None."""
    table = path(environment, environments)
    return read(table).get(environment) if table.is_file() else None


@cache
def read(table: Path) -> dict[str, Release]:
    """The releases of a table by their environments' names, the oldest first; raises StudyError."""
    study_file.check_duplicates(table)
    try:
        # All scalars as texts: 2.10 isn't 2.1.
        content = yaml.load(table.read_text(encoding="utf-8"), yaml.BaseLoader)
        against_schema.check(content, "releases")
        releases = [_release(table.stem, n, e, content) for n, e in content["releases"].items()]
    except (StudyError, ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise StudyError(f"{table} is no table of releases: {reason}") from None
    in_order = sorted(releases, key=lambda release: release.released)
    return {release.environment: release for release in in_order}


def with_table(folder: Path) -> list[str]:
    """The environments that have a table; `folder` is that of the environment files."""
    return sorted(table.stem for table in folder.glob(f"{FOLDER}/*.yaml"))


def requested(framework: Mapping[str, Any], environments: Path) -> list[tuple[str, Release]]:
    """The releases that a study's framework lists, each with its adapter.

    A release has the adapter of its table, unless the study names another one that trains it.
    Raises StudyError, also where a release has no lock yet, and UnknownPlugin for an unknown
    adapter.
    """
    name, numbers = framework["framework"], framework["releases"]
    adapter = framework.get("adapter", name)
    default_environment = plugins.facts("framework", adapter).get("ENVIRONMENT", adapter)
    environment = framework.get("environment", default_environment)
    table = _table_of(environment, environments)
    by_number = {release.number: release for release in read(table).values()}
    if isinstance(numbers, str):
        numbers = list(by_number)[SELECTORS[numbers]]
    for number in numbers:
        if number not in by_number:
            raise StudyError(f"frameworks: {name}: {unknown('release', number, list(by_number))}")
    chosen = [release for number, release in by_number.items() if number in numbers]
    _check_locks(chosen, table)
    takes_that_of_table = adapter == default_environment
    return [
        (release.adapter if takes_that_of_table and release.adapter else adapter, release)
        for release in chosen
    ]


def _table_of(environment: str, environments: Path) -> Path:
    """The table of an environment's own releases, which a build for GPUs has none of."""
    table = environments / FOLDER / f"{environment}.yaml"
    if not table.is_file():
        known = ", ".join(with_table(environments))
        raise StudyError(f"frameworks: {environment} has no table in envs/{FOLDER}; {known} have")
    return table


def _check_locks(releases: Iterable[Release], table: Path) -> None:
    for release in releases:
        lock = table.with_name(f"{release.environment}.lock")
        if release.unavailable is None and not lock.is_file():
            raise StudyError(
                f"frameworks: {release.environment} has no lock: run `make lock-releases`"
            )


def _release(
    environment: str, number: str, entry: Mapping[str, Any], table: Mapping[str, Any]
) -> Release:
    package = entry.get("package", table["package"])
    needs = entry.get("needs", table.get("needs", []))
    released = date.fromisoformat(entry["released"])
    as_of = date.fromisoformat(entry["as_of"]) if "as_of" in entry else released + DEPENDENCY_LAG
    return Release(
        environment=f"{environment}-{number}",
        number=number,
        released=released,
        python=entry["python"],
        requirements=(f"{package}==={number}", *needs),
        adapter=entry.get("adapter"),
        unavailable=entry.get("unavailable"),
        as_of=as_of,
        newer={name: date.fromisoformat(day) for name, day in table.get("newer", {}).items()},
        without=table.get("without", "$"),
    )
