"""Times of files that are later than now, as after the machine's clock was set back.

Snakemake removes the output of a job that is older than an input of it.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

TOLERANCE_SECONDS = 30
"""How far the clock of a file server may be ahead."""
JOB_SECONDS = 30
"""Longer than Snakemake takes to look at the output of a job that has ended."""
MANY = {"runs", "mlruns"}
"""Folders of a study that may hold very many files."""


def redate_future(
    paths: Iterable[Path], tolerance_seconds: float = 0.0, age_seconds: float = 0.0
) -> int:
    """Date files that have a later time than now; returns how many.

    They get the time `age_seconds` ago. Files of another user stay as they are, and don't count.
    """
    now = time.time()
    new = now - age_seconds
    redated = 0
    for path in paths:
        with suppress(PermissionError, FileNotFoundError):
            if path.stat().st_mtime > now + tolerance_seconds:
                os.utime(path, (new, new))
                redated += 1
    return redated


def is_changed(folder: Path, since: float) -> bool:
    """Whether a folder has a file that changed at a time or later, or a name came or went in it."""
    try:
        with os.scandir(folder) as entries:
            return folder.stat().st_mtime >= since or any(
                entry.stat().st_mtime >= since for entry in entries
            )
    except FileNotFoundError:
        return False


def of_study(folder: Path) -> Iterator[Path]:
    """All files below a study's folder but those of its runs."""
    for parent, folders, files in os.walk(folder):
        if Path(parent) == folder:
            folders[:] = [name for name in folders if name not in MANY]
        yield from (Path(parent, name) for name in files)
