"""Rule comparison: the study's results beside those of a baseline, as table, figure and page."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.analyse.across import comparison
from trainmark.errors import one_line_errors
from trainmark.report import comparison as report
from trainmark.report.page import document
from trainmark.report.show.outputs import save_figure, write_table
from trainmark.runs.files import write_text

snakemake: Any  # put here by Snakemake


def records(folder: Path) -> list[dict[str, Any]]:
    """The run.json of all runs of a result set; none where only its measurements were kept."""
    return [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("run.json"))
    ]


def main(
    now: Path,
    baseline: Path,
    note: str,
    tables: Iterable[str],
    figures: Sequence[str],
    page: Path,
) -> None:
    """Compare two measurements.csv, and the runs beside them; the first of the figures is SVG."""
    origins = (records(source.parent / "runs") for source in (now, baseline))
    after, before = (measurements.read(source) for source in (now, baseline))
    numbers = comparison.compare(after, before, comparison.differences(*origins))
    table = report.table(numbers)
    write_table(table, tables, note)
    save_figure(lambda: report.figure(numbers, note), numbers, figures)
    sentences = [f"{now.parent} beside {baseline.parent}.", report.sentence(numbers)]
    write_text(document.html(report.TITLE, sentences, [table], [Path(figures[0])]), page)


if __name__ == "__main__":
    found = snakemake.input
    with one_line_errors():
        main(
            Path(found.measurements),
            Path(found.baseline),
            snakemake.params.note,
            snakemake.output.tables,
            snakemake.output.figures,
            Path(snakemake.output.page),
        )
