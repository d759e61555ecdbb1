"""The kept archives of results: resources/results/<study>/<day>-<machine>.zip."""

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from trainmark.analyse.sets import light
from trainmark.analyse.sets.merged import origin
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.runs.formats import Record
from trainmark.runs.provenance import CODE

FOLDER = CODE / "resources" / "results"


def paths() -> list[Path]:
    """All kept archives, by study and name."""
    return sorted(FOLDER.rglob("*.zip"))


def path(archive: str) -> Path:
    """The path of an archive by its study and name: "quick/2026-11-26-amd-epyc-2-cores"."""
    return FOLDER / f"{archive}.zip"


def label(records: Sequence[Record]) -> str:
    """What the archive of these runs is called: the last day, and the machines."""
    last_day = origin(records)["measured"].rpartition(" ")[2]
    return f"{last_day}-{light.machines_label(records)}"


def free_name(study: str, name: str) -> str:
    """The name, with a number where an archive of that name is kept already."""
    numbered = (f"{name}-{number}" if number > 1 else name for number in itertools.count(1))
    return next(each for each in numbered if not path(f"{study}/{each}").exists())


def misplaced(archive: Path, results: ResultSet) -> str | None:
    """What is wrong with the place of a kept archive of these results, if it is."""
    place, folder = archive.absolute(), FOLDER.absolute()
    if not place.is_relative_to(folder):
        return None
    if place.resolve() != folder.resolve() / place.relative_to(folder):
        return "it is a link; keep the archive itself"
    study, name = results.records[0]["job"]["study"], label(results.records)
    expected = rf"{re.escape(study)}/{re.escape(name)}(-\d+)?\.zip"
    is_there = re.fullmatch(expected, place.relative_to(folder).as_posix())
    return None if is_there else f"it is to be called {study}/{name}.zip"
