"""The trained weights that a run keeps where its case asks for them: those of the kept attempt."""

import zipfile
from pathlib import Path

TRAINED = "weights.npz"
"""The file that the worker writes (worker/networks/neutral/weights.py), then the run's output."""


def of_attempt(folder: Path, number: int) -> Path | None:
    """Give an attempt's file a name of its own, as the next one would write over it."""
    written = folder / TRAINED
    return written.replace(folder / f".attempt{number}.{TRAINED}") if written.exists() else None


def keep(kept: Path | None, folder: Path) -> None:
    """Leave the kept attempt's file as the run's, and no other; without one, a file of no arrays.

    So the output that Snakemake was told of is there whatever became of the run.
    """
    if kept:
        kept.replace(folder / TRAINED)
    else:
        zipfile.ZipFile(folder / TRAINED, "w").close()
    _remove_attempts(folder)


def remove(folder: Path) -> None:
    """Remove the run's file and those of single attempts."""
    (folder / TRAINED).unlink(missing_ok=True)
    _remove_attempts(folder)


def _remove_attempts(folder: Path) -> None:
    for path in folder.glob(f".attempt*.{TRAINED}"):
        path.unlink()
