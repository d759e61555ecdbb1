"""How near forecasts come: the runs of kept archives, by those of the same machine's other studies.

usage: python benchmarks/forecast.py [STUDY …]

Printed is, for each archive: its runs that took time, how many of them are unlike any other study's
on a machine of that name, and of the rest the forecast and the measured time, and their ratio.
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import places  # noqa: F401 (puts trainmark on the path)

from trainmark.analyse.sets import kept, light, result_set
from trainmark.runs.formats import Record
from trainmark.watch import durations
from trainmark.watch.progress import span


class Archive(NamedTuple):
    """A kept archive: its study, its name, its machine, and the records of runs that took time."""

    study: str
    name: str
    machine: str
    records: Sequence[Record]


def read(path: Path) -> Archive:
    """Read a kept archive."""
    records = result_set.read(path).records
    timed = [record for record in records if record.get("wall_seconds")]
    return Archive(path.parent.name, path.stem, light.machines_label(records), timed)


def row(archive: Archive, others: Iterable[Archive]) -> str:
    """The line of an archive, by the runs of others."""
    earlier = durations.of_runs(record for other in others for record in other.records)
    estimates = [earlier.of(record["job"]) for record in archive.records]
    pairs = [
        (estimate, durations.seconds_of(record))
        for estimate, record in zip(estimates, archive.records, strict=True)
        if estimate is not None
    ]
    name = f"{archive.study}/{archive.name}"
    counts = f"{name:75} {len(estimates):5,} {len(estimates) - len(pairs):7,}"
    if not pairs:
        return f"{counts}  can't be told"
    forecast, measured = (sum(seconds) for seconds in zip(*pairs, strict=True))
    return f"{counts} {span(forecast):>9} {span(measured):>9} {forecast / measured:6.2f}"


def main() -> None:
    """Print a line for each archive of the named studies, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("studies", nargs="*")
    studies = parser.parse_args().studies
    archives = [read(path) for path in kept.paths()]
    print(f"{'':75}  runs unknown  forecast  measured  ratio")
    for archive in archives:
        if studies and archive.study not in studies:
            continue
        others = (
            other
            for other in archives
            if other.machine == archive.machine and other.study != archive.study
        )
        print(row(archive, others), flush=True)


if __name__ == "__main__":
    main()
