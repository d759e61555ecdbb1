"""Rule page: the page of a study, one HTML file that needs no network."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read
from trainmark.errors import one_line_errors
from trainmark.files import write_text
from trainmark.report.page import study
from trainmark.report.page.runs import read as read_run

snakemake: Any  # put here by Snakemake


def main(
    paths: Iterable[str],
    tables: Sequence[str],
    drawings: Iterable[str],
    records: Iterable[str],
    command: str,
    output: str,
) -> None:
    """Make the page from the study's CSV files, its figures and the records of its runs."""
    tables_by_name = {Path(path).stem: read(Path(path)) for path in paths}
    drawn, runs = list(map(Path, drawings)), [read_run(Path(path)) for path in records]
    write_text(study.html(tables_by_name, tables, drawn, runs, command), Path(output))


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.input.sources,
            snakemake.params.tables,
            snakemake.input.drawings,
            snakemake.params.records,
            snakemake.params.command,
            snakemake.output.page,
        )
