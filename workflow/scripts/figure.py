"""Rule figure: one figure from its source, in every format, with its values as CSV."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read
from trainmark.errors import one_line_errors
from trainmark.report.draw.saving import save_figure
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def main(name: str, source: str, note: str, outputs: Iterable[str]) -> None:
    """Draw the figure from its source."""
    plugin = plugins.load("figure", name)
    data = plugin.data(read(Path(source)))
    title = plugins.facts("figure", name)["TITLE"]
    save_figure(lambda: plugin.draw(data, title, note), data, outputs)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.figure,
            snakemake.input.source,
            snakemake.params.note,
            snakemake.output,
        )
