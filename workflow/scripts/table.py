"""Rule table: one table from the measurements, in every format."""

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.errors import one_line_errors
from trainmark.report.writers import Table, write

snakemake: Any  # put here by Snakemake


def main(name: str, source: str, outputs: Iterable[str]) -> None:
    """Make the table once and write it to each output, whose ending names its format."""
    plugin = importlib.import_module(f"trainmark.report.tables.{name}")
    numbers = plugin.make(measurements.read(Path(source)))
    shown, notes = plugin.show(numbers), plugin.notes(numbers)
    table = Table(plugin.TITLE, numbers, shown, plugin.BLOCK, notes)
    for output in outputs:
        write(table, Path(output))


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.wildcards.table, snakemake.input.measurements, snakemake.output)
