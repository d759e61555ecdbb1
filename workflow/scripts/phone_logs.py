"""Rule phone_logs: logs of phones on a study's models, beside this machine's values."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read
from trainmark.errors import one_line_errors
from trainmark.report.compare import phones
from trainmark.report.words.writers import write_table

snakemake: Any  # put here by Snakemake


def main(source: Path, logs: Mapping[str, str], tables: Iterable[str]) -> None:
    """Put the logs of phones and a study's measurements into one table."""
    files = {name: Path(log) for name, log in logs.items()}
    write_table(phones.table(phones.rows(read(source), files)), tables)


if __name__ == "__main__":
    with one_line_errors():
        main(
            Path(snakemake.input.measurements),
            snakemake.params.logs,
            snakemake.output,
        )
