"""Rule ranking: one speed of one case, the fastest on top, in every format with its CSV."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.analyse.across.configurations import configurations
from trainmark.errors import one_line_errors
from trainmark.report.show import bars, cells, ranking
from trainmark.report.show.outputs import save_figure
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def main(case: str, metric: str, source: str, note: str, outputs: Iterable[str]) -> None:
    """Draw the ranking from the measurements, of the stage that the metric is of."""
    table = measurements.read(Path(source))
    found = configurations(table[table["case"] == case], metric)
    chosen = plugins.facts("metric", metric).get("STAGES", list(found["stage"]))
    rows = found[found["stage"].isin(chosen)]
    settings = [name for name in cells.varying(rows) if name not in (*ranking.NAMES, "stage")]
    data = ranking.data(rows.assign(framework=cells.titles(rows, settings)))
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
