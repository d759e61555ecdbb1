"""Rule comparison: the study's results beside those of a baseline, as table, figure and page."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.compare import comparison, host_speeds
from trainmark.analyse.sets import result_set
from trainmark.errors import one_line_errors
from trainmark.files import write_text
from trainmark.report.compare import comparison as report
from trainmark.report.draw.saving import save_figure
from trainmark.report.page import document
from trainmark.report.words.writers import write_table

snakemake: Any  # put here by Snakemake


def main(
    now: Path,
    baseline: Path,
    note: str,
    tables: Iterable[str],
    figures: Sequence[str],
    page: Path,
) -> None:
    """Compare two result sets, each a measurements.csv or an archive; the first figure is SVG."""
    after, before = result_set.read(now), result_set.read(baseline)
    origins = comparison.differences(after.records, before.records)
    numbers = comparison.compare(after.measurements, before.measurements, origins)
    hosts = host_speeds.ratios(after.measurements, before.measurements)
    table = report.table(numbers, hosts)
    write_table(table, tables, note)
    save_figure(lambda: report.figure(numbers, note), numbers, figures)
    sentences = [f"{after.place} beside {before.place}.", report.sentence(numbers)]
    write_text(document.html(report.TITLE, sentences, [table], [Path(figures[0])]), page)


if __name__ == "__main__":
    with one_line_errors():
        main(
            Path(snakemake.input.measurements),
            Path(snakemake.input.baseline),
            snakemake.params.note,
            snakemake.output.tables,
            snakemake.output.figures,
            Path(snakemake.output.page),
        )
