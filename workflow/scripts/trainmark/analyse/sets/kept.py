"""The kept archives of results: resources/results/<study>/<day>-<machine>.zip."""

import itertools
from pathlib import Path

from trainmark.runs.provenance import CODE

FOLDER = CODE / "resources" / "results"


def paths() -> list[Path]:
    """All kept archives, by study and name."""
    return sorted(FOLDER.glob("*/*.zip"))


def path(archive: str) -> Path:
    """The path of an archive by its study and name: "quick/2026-11-26-amd-epyc-2-cores"."""
    return FOLDER / f"{archive}.zip"


def free_name(study: str, name: str) -> str:
    """The name, with a number where an archive of that name is kept already."""
    numbered = (f"{name}-{number}" if number > 1 else name for number in itertools.count(1))
    return next(each for each in numbered if not path(f"{study}/{each}").exists())
