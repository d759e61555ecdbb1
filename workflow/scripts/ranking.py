"""Rule ranking: one speed of one case, the fastest on top, in every format with its CSV."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import measurements
from trainmark.errors import one_line_errors
from trainmark.report.charts import ranking
from trainmark.report.draw import bars
from trainmark.report.draw.saving import save_figure
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def main(case: str, metric: str, source: str, note: str, outputs: Iterable[str]) -> None:
    """Draw the ranking from the measurements, of the stage that the metric is of."""
    table = measurements.read(Path(source))
    data = ranking.of_metric(table[table["case"] == case], metric)
    title = f"{plugins.facts('metric', metric)['TITLE']}, {case}"
    notes = f"{bars.footnote(data)}\n{note}"
    save_figure(lambda: ranking.draw(data, title, notes), data, outputs)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.case,
            snakemake.wildcards.metric,
            snakemake.input.measurements,
            snakemake.params.note,
            snakemake.output,
        )
