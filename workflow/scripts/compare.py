"""Rule compare: print the comparison; exit status 1 where one is significantly worse."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainmark.analyse.compare.comparison import worsening
from trainmark.analyse.csv import measurements
from trainmark.errors import one_line_errors
from trainmark.report.words import cells
from trainmark.terminal import print_message

snakemake: Any  # put here by Snakemake


def worse(numbers: Path, tolerance_percent: float) -> Iterator[str]:
    """Each configuration that became worse, and how."""
    table = measurements.read(numbers)
    for row, label in zip(table.itertuples(), cells.labels(table), strict=True):
        reason = worsening(row, tolerance_percent)
        if reason:
            yield f"{row.case}, {label}: {reason}"


if __name__ == "__main__":
    with one_line_errors():
        for text in map(Path, snakemake.input.texts):
            print(text.read_text(encoding="utf-8"))
            print(f"Table, figure and page: {text.parent}/", flush=True)
        numbers, tolerances = map(Path, snakemake.input.numbers), snakemake.params.tolerances
        pairs = zip(numbers, tolerances, strict=True)
        # A file is results/<study>/comparison/comparison.csv.
        lines = [
            f"{file.parents[1].name}: {line}"
            for file, tolerance in pairs
            for line in worse(file, tolerance)
        ]
        for line in lines:
            print_message(line)
        sys.exit(1 if lines else 0)
