"""Rule table: one table from the measurements, in every format."""

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.errors import one_line_errors
from trainmark.report.outputs import table_of, write_table

snakemake: Any  # put here by Snakemake


def main(name: str, source: str, note: str, outputs: Iterable[str]) -> None:
    """Make the table from the measurements."""
    plugin = importlib.import_module(f"trainmark.report.tables.{name}")
    write_table(table_of(plugin, measurements.read(Path(source))), outputs, note)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.table,
            snakemake.input.measurements,
            snakemake.params.note,
            snakemake.output,
        )
