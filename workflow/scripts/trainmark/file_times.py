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
    """Date files that have a later time than now a little before it; returns how many.

    Before it, as a job that has just ended may have made its output of them. Files of another user
    stay as they are, and don't count.
    """
    now = time.time()
    earlier = now - TOLERANCE_SECONDS
    redated = 0
    for path in paths:
        with suppress(PermissionError, FileNotFoundError):
            if path.stat().st_mtime > now + tolerance_seconds:
                os.utime(path, (earlier, earlier))
                redated += 1
    return redated


def of_study(folder: Path) -> Iterator[Path]:
    """All files below a study's folder but those of its runs."""
    for parent, folders, files in os.walk(folder):
        if Path(parent) == folder:
            folders[:] = [name for name in folders if name not in MANY]
        yield from (Path(parent, name) for name in files)
