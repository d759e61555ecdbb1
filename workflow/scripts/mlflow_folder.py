"""Rule mlflow_folder: the runs of a study in a folder that MLflow shows."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read as read_table
from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.parent import attached
from trainmark.report import tracking
from trainmark.runs.job import read_lock
from trainmark.runs.logs import last_lines
from trainmark.runs.records import read

snakemake: Any  # put here by Snakemake


class CannotExport(TrainmarkError):
    """The environment that writes for MLflow isn't there, or its writer failed."""


def main(
    lock: str, writer: str, tables: Sequence[str], records: Iterable[str], output: str, log: Path
) -> None:
    """Write the runs, from their measurements and losses, by MLflow's own library.

    What it prints goes to the log. Raises CannotExport.
    """
    installed = read_lock(lock, "mlflow")
    if installed["status"] != "available":
        raise CannotExport(f"the environment mlflow is unavailable: {installed['reason']}")
    contents = (read(Path(record)) for record in records)
    measurements, losses = (read_table(Path(table)) for table in tables)
    lines = "".join(json.dumps(run) + "\n" for run in tracking.runs(measurements, losses, contents))
    command = attached(installed["interpreter"], "-I", writer, output)
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(command, input=lines, stdout=file, stderr=file, text=True)
    if done.returncode:
        text = log.read_text(encoding="utf-8", errors="replace")
        reason = last_lines.last_line(text) or "its log says nothing"
        raise CannotExport(f"MLflow's writer failed: {reason}; its log is {log}")


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.input.lock,
            snakemake.input.writer,
            (snakemake.input.measurements, snakemake.input.losses),
            snakemake.input.records,
            snakemake.output[0],
            Path(snakemake.log[0]),
        )
