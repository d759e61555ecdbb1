"""Rule merge: the study's results beside those of other machines, as table, figure and page."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.errors import one_line_errors
from trainmark.report import machines
from trainmark.report.page import document
from trainmark.report.show.outputs import save_figure, write_table
from trainmark.runs.files import write_text

snakemake: Any  # put here by Snakemake


def main(
    sources: Iterable[Path], note: str, tables: Iterable[str], figures: Sequence[str], page: Path
) -> None:
    """Put the measurements.csv of several folders together; the first of the figures is SVG."""
    results = {str(source.parent): measurements.read(source) for source in sources}
    numbers = machines.merge(results)
    table = machines.table(numbers)
    write_table(table, tables, note)
    save_figure(lambda: machines.figure(numbers, note), numbers, figures)
    sentences = [f"Results of {', '.join(results)}, one machine a column."]
    write_text(document.html(machines.TITLE, sentences, [table], [Path(figures[0])]), page)


if __name__ == "__main__":
    with one_line_errors():
        main(
            map(Path, snakemake.input.sources),
            snakemake.params.note,
            snakemake.output.tables,
            snakemake.output.figures,
            Path(snakemake.output.page),
        )
