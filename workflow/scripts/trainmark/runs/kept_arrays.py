"""The arrays that a run keeps where its case asks for them: those of the kept attempt.

Snakemake doesn't know of them: what reads them depends on run.json, which is written after them.
"""

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.files import BROKEN_ZIP

TRAINED = "weights.npz"
PREDICTIONS = "predictions.npz"
ADVERSARIAL = "adversarial.npz"
FILES = (TRAINED, PREDICTIONS, ADVERSARIAL)
"""Files that the worker writes (networks/neutral/weights.py, accuracy/evaluation.py,
attacks/harness/robustness.py)."""


def outputs(settings: Mapping[str, Any]) -> list[str]:
    """Names of the files that are there in any case, for a run with these settings."""
    return [TRAINED] if settings.get("keep_weights") else []


def of_attempt(folder: Path, number: int) -> list[Path]:
    """Rename an attempt's files, as the next one would write over them."""
    written = [folder / name for name in FILES if (folder / name).exists()]
    return [path.replace(folder / f".attempt{number}.{path.name}") for path in written]


def keep(attempts: Iterable[Path], folder: Path, settings: Mapping[str, Any]) -> None:
    """Leave the files of the kept attempt as the run's, and no others.

    Of an output that isn't among them there is a file of no arrays, so that it is there whatever
    became of the run.
    """
    for path in attempts:
        path.replace(folder / _final_name(path))
    for name in outputs(settings):
        if not (folder / name).exists():
            zipfile.ZipFile(folder / name, "w").close()
    _remove_attempts(folder)


def remove(folder: Path) -> None:
    """Remove the run's files and those of single attempts."""
    for name in FILES:
        (folder / name).unlink(missing_ok=True)
    _remove_attempts(folder)


def has_arrays(path: Path) -> bool:
    """Whether a file of arrays has any."""
    with zipfile.ZipFile(path) as arrays:
        return bool(arrays.namelist())


def damaged(folder: Path) -> list[Path]:
    """The files of arrays in a run's folder that can't be read."""
    there = [folder / name for name in FILES if (folder / name).exists()]
    return [path for path in there if not is_whole(path)]


def is_whole(path: Path) -> bool:
    """Whether a file of arrays is there to its end, where its table of contents is."""
    try:
        with zipfile.ZipFile(path):
            return True
    except BROKEN_ZIP:
        return False


def _final_name(of_attempt: Path) -> str:
    return next(name for name in FILES if of_attempt.name.endswith(name))


def _remove_attempts(folder: Path) -> None:
    for path in folder.glob(".attempt*.npz"):
        path.unlink()
