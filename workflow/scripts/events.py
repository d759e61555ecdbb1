"""Rule events: all workers' logs to one events.jsonl."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse.collect import event_lines
from trainmark.errors import one_line_errors

snakemake: Any  # put here by Snakemake


def main(logs: Iterable[str], output: str) -> None:
    """Parse each log and write its events."""
    with Path(output).open("w", encoding="utf-8") as file:
        file.writelines(event_lines(map(Path, logs)))


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.input.logs, snakemake.output.events)
