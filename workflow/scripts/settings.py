"""Rule settings: the table of a study's training settings, in every format."""

from typing import Any

from trainmark.errors import one_line_errors
from trainmark.report import settings_table
from trainmark.report.show.outputs import write_table

snakemake: Any  # put here by Snakemake

NOTE = "Epochs: passes over the training images in the timed window. The batch is the global one."

if __name__ == "__main__":
    with one_line_errors():
        table = settings_table.table(snakemake.params.rows, NOTE)
        write_table(table, snakemake.output, snakemake.params.note)
