"""Rule settings: the table of a study's training settings, in every format."""

from typing import Any

from trainmark.errors import one_line_errors
from trainmark.report.words import settings_table
from trainmark.report.words.writers import write_table

snakemake: Any  # put here by Snakemake

if __name__ == "__main__":
    with one_line_errors():
        rows = snakemake.params.rows
        table = settings_table.table(rows, settings_table.note_of(rows))
        write_table(table, snakemake.output, snakemake.params.note)
