"""Files in which benchmarks keep what they measured, with the git revision of the code."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from places import ROOT

from trainmark.runs import provenance


def revision() -> str | None:
    """The revision of the code: to be read before measuring, as a commit may follow meanwhile."""
    return provenance.revision(ROOT)


def append(file: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Add rows to a file of CSV, below its header."""
    begins = not file.exists()
    with file.open("a", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        if begins:
            writer.writerow(columns)
        writer.writerows(rows)
