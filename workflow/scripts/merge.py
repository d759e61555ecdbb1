"""Rule merge: the study's results beside those of other machines, one machine a column."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.errors import one_line_errors
from trainmark.report import machines
from trainmark.report.show.outputs import save_figure, write_table

snakemake: Any  # put here by Snakemake


def main(sources: Iterable[Path], note: str, tables: Iterable[str], figures: Iterable[str]) -> None:
    """Put the measurements.csv of several folders into one table and one figure."""
    results = {str(source.parent): measurements.read(source) for source in sources}
    numbers = machines.merge(results)
    write_table(machines.table(numbers), tables, note)
    save_figure(lambda: machines.figure(numbers, note), numbers, figures)


if __name__ == "__main__":
    with one_line_errors():
        main(
            map(Path, snakemake.input.sources),
            snakemake.params.note,
            snakemake.output.tables,
            snakemake.output.figures,
        )
