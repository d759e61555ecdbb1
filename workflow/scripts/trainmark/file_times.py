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
MANY = {"runs", "mlruns"}
"""Folders of a study that may hold very many files."""


def redate_future(paths: Iterable[Path], tolerance_seconds: float = 0.0) -> int:
    """Date files now that have a later time; returns how many there were.

    Files of another user stay as they are.
    """
    now = time.time()
    future = [path for path in paths if _time(path) > now + tolerance_seconds]
    for path in future:
        with suppress(PermissionError):
            os.utime(path, (now, now))
    return len(future)


def of_study(folder: Path) -> Iterator[Path]:
    """All files below a study's folder but those of its runs."""
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in MANY]
        yield from (Path(parent, name) for name in files)


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
