"""Rule events: all workers' logs to one events.jsonl."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.run.events import event_lines
from trainmark.errors import one_line_errors
from trainmark.runs.records import check_beside

snakemake: Any  # put here by Snakemake


def main(records: Iterable[str], output: str) -> None:
    """Parse the log beside each run.json and write its events.

    Raises DamagedRecord: calls don't look again at runs that haven't changed since.
    """
    folders = [Path(record).parent for record in records]
    for folder in folders:
        check_beside(folder)
    with Path(output).open("w", encoding="utf-8") as file:
        file.writelines(event_lines(folder / "worker.log" for folder in folders))


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.input.records, snakemake.output.events)
