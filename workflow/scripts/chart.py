"""Rule chart: one metric of one case as a chart, in every format, with its values as CSV."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import measurements
from trainmark.errors import one_line_errors
from trainmark.report.charts import grouped
from trainmark.report.draw import bars
from trainmark.report.draw.saving import save_figure
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def main(case: str, metric: str, source: str, note: str, outputs: Iterable[str]) -> None:
    """Draw the chart from the measurements."""
    data = grouped.data(measurements.read(Path(source)), case, metric)
    title = f"{plugins.facts('metric', metric)['TITLE']}, {case}"
    notes = f"{bars.footnote(data)}\n{note}"
    save_figure(lambda: grouped.draw(data, title, metric, notes), data, outputs)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.case,
            snakemake.wildcards.metric,
            snakemake.input.measurements,
            snakemake.params.note,
            snakemake.output,
        )
