"""Rule figure: one figure from the measurements, in every format, with what it shows as CSV."""

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.errors import one_line_errors
from trainmark.report import style

snakemake: Any  # put here by Snakemake


def main(name: str, source: str, outputs: Iterable[str]) -> None:
    """Draw the figure once and save it to each output, whose ending names its format."""
    plugin = importlib.import_module(f"trainmark.report.figures.{name}")
    data = plugin.data(measurements.read(Path(source)))
    with style.applied():
        figure = plugin.draw(data, plugin.TITLE)
        for output in outputs:
            style.save(figure, data, Path(output))


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.wildcards.figure, snakemake.input.measurements, snakemake.output)
