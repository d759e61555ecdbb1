"""Rule table: one table from its source, in every format."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read
from trainmark.errors import one_line_errors
from trainmark.report.words.writers import table_of, write_table
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def main(name: str, source: str, note: str, outputs: Iterable[str]) -> None:
    """Make the table from its source."""
    plugin = plugins.load("table", name)
    write_table(table_of(plugin, read(Path(source))), outputs, note)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.table,
            snakemake.input.source,
            snakemake.params.note,
            snakemake.output,
        )
