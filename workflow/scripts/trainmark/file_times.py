"""Times of files after the machine's clock was set back, by which Snakemake tells what is outdated.

Snakemake removes the output of a job that is older than an input of it.
"""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

RUNS = "runs"


def make_younger(outputs: Iterable[str | Path], inputs: Iterable[str | Path]) -> None:
    """Date outputs now, or like their youngest input if that has a later time."""
    now = max([time.time(), *map(os.path.getmtime, inputs)])
    for output in outputs:
        os.utime(output, (now, now))


def redate_future(paths: Iterable[Path]) -> int:
    """Date files now that have a later time; returns how many there were."""
    now = time.time()
    future = [path for path in paths if path.exists() and path.stat().st_mtime > now]
    for path in future:
        os.utime(path, (now, now))
    return len(future)


def without_runs(folder: Path) -> Iterator[Path]:
    """All files below a folder but those of runs, which may be very many."""
    for parent, folders, files in os.walk(folder):
        if RUNS in folders:
            folders.remove(RUNS)
        yield from (Path(parent, name) for name in files)
