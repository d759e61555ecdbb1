"""Rule mlflow_folder: the runs of a study in a folder that MLflow shows."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.csv import read as read_table
from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.parent import attached
from trainmark.report.exports import tracking
from trainmark.runs.job import read_lock
from trainmark.runs.records import read

snakemake: Any  # put here by Snakemake


class CannotExport(TrainmarkError):
    """The environment that writes for MLflow isn't there, or its writer failed."""


def main(
    lock: str, writer: str, tables: Sequence[str], records: Iterable[str], output: str
) -> None:
    """Write the runs, from their measurements and losses, by MLflow's own library."""
    installed = read_lock(lock, "mlflow")
    if installed["status"] != "available":
        raise CannotExport(f"the environment mlflow is unavailable: {installed['reason']}")
    contents = (read(Path(record)) for record in records)
    measurements, losses = (read_table(Path(table)) for table in tables)
    lines = "".join(json.dumps(run) + "\n" for run in tracking.runs(measurements, losses, contents))
    command = attached(installed["interpreter"], "-I", writer, output)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or "it was killed").splitlines()[-1]
        raise CannotExport(f"MLflow's writer failed: {reason}")


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.input.lock,
            snakemake.input.writer,
            (snakemake.input.measurements, snakemake.input.losses),
            snakemake.input.records,
            snakemake.output[0],
        )
