"""Rule merge: the study's results beside those of other machines, one machine a column."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.errors import one_line_errors
from trainmark.report import machines, style
from trainmark.report.writers import write

snakemake: Any  # put here by Snakemake


def main(sources: Iterable[Path], tables: Iterable[str], figures: Iterable[str]) -> None:
    """Put the measurements.csv of several folders into one table and one figure."""
    results = {str(source.parent): measurements.read(source) for source in sources}
    numbers = machines.merge(results)
    for output in tables:
        write(machines.table(numbers), Path(output))
    with style.applied():
        figure = machines.figure(numbers)
        for output in figures:
            style.save(figure, numbers, Path(output))


if __name__ == "__main__":
    with one_line_errors():
        main(map(Path, snakemake.input.sources), snakemake.output.tables, snakemake.output.figures)
