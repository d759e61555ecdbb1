"""Rule combined: the study's results beside those of other sources, as tables, figure and page."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.sets import merged, result_set
from trainmark.errors import one_line_errors
from trainmark.files import write_text
from trainmark.report.compare import machines
from trainmark.report.draw.saving import save_figure
from trainmark.report.page import document
from trainmark.report.words.writers import write_table

snakemake: Any  # put here by Snakemake


def main(
    paths: Iterable[Path],
    note: str,
    tables: Iterable[str],
    of_sources: Iterable[str],
    figures: Sequence[str],
    page: Path,
) -> None:
    """Put result sets together, each a measurements.csv or an archive; the first figure is SVG."""
    sets = [result_set.read(path) for path in paths]
    numbers, sources = merged.merged(sets), merged.sources(sets)
    made = machines.table(numbers, sources), machines.sources_table(numbers, sources)
    for table, outputs in zip(made, (tables, of_sources), strict=True):
        write_table(table, outputs, note)
    save_figure(lambda: machines.figure(numbers, sources, note), numbers, figures)
    sentences = [f"Results of {', '.join(sources['place'])}, one machine a column."]
    write_text(document.html(machines.TITLE, sentences, made, [Path(figures[0])]), page)


if __name__ == "__main__":
    with one_line_errors():
        main(
            map(Path, snakemake.input.sources),
            snakemake.params.note,
            snakemake.output.tables,
            snakemake.output.of_sources,
            snakemake.output.figures,
            Path(snakemake.output.page),
        )
