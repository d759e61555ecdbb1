"""Runs in MLflow's form: reads a line of JSON for each (trainmark.report.tracking).

usage: python -I mlflow_runs.py FOLDER
"""

import json
import os
import sys
from pathlib import Path
from typing import Any, Dict

# MLflow prefers databases, which its small package can't write; it also reads folders.
os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"

from mlflow import MlflowClient
from mlflow.entities import Metric, Param, RunTag

MOST_CHARACTERS = 6000  # of a parameter


def write(client: MlflowClient, experiment: str, run: Dict[str, Any]) -> None:
    """Write a run with its settings, values and series."""
    begin, end = run["began"], run["ended"]
    created = client.create_run(experiment, start_time=begin, run_name=run["name"])
    metrics = [Metric(name, value, end, 0) for name, value in run["values"].items()]
    for name, points in run["series"].items():
        metrics += [Metric(name, value, end, step) for step, value in points]
    settings = [Param(name, text[:MOST_CHARACTERS]) for name, text in run["settings"].items()]
    tags = [RunTag(name, text) for name, text in run["tags"].items()]
    client.log_batch(created.info.run_id, metrics, settings, tags)
    client.set_terminated(created.info.run_id, "FINISHED" if run["is_ok"] else "FAILED", end)


def main(folder: str) -> None:
    """Write the runs into experiments with the names of their studies."""
    client = MlflowClient(Path(folder).resolve().as_uri())
    experiments: Dict[str, str] = {}
    for line in sys.stdin:
        run = json.loads(line)
        study = run["study"]
        if study not in experiments:
            experiments[study] = client.create_experiment(study)
        write(client, experiments[study], run)


if __name__ == "__main__":
    main(sys.argv[1])
