"""Rule chart: one metric of one case in a style, in every format, with its values as CSV."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read
from trainmark.errors import one_line_errors
from trainmark.report.draw import bars
from trainmark.report.draw.saving import save_figure
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def main(
    style: str, case: str, metric: str, source: str, note: str, outputs: Iterable[str]
) -> None:
    """Draw the chart from the measurements, of the stages that the metric is of."""
    plugin = plugins.load("chart style", style)
    table = read(Path(source))
    data = plugin.data(table[table["case"] == case], metric)
    title = f"{plugins.facts('metric', metric)['TITLE']}, {case}"
    notes = f"{bars.footnote(data)}\n{note}"
    save_figure(lambda: plugin.draw(data, metric, title, notes), data, outputs)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.style,
            snakemake.wildcards.case,
            snakemake.wildcards.metric,
            snakemake.input.measurements,
            snakemake.params.note,
            snakemake.output,
        )
