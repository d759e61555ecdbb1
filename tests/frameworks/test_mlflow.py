"""MLflow reads back what its own library wrote of the recorded study."""

import json
import subprocess

import pytest
from recorded import STUDY

from trainmark.report import tracking
from trainmark.study import plugins

WRITER = plugins.SCRIPTS / "worker" / "exports" / "mlflow_runs.py"
READER = """
import json, os, sys
os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
from mlflow import MlflowClient
client = MlflowClient("file://" + sys.argv[1])
(experiment,) = client.search_experiments(filter_string="name = 'recorded'")
for run in client.search_runs([experiment.experiment_id], max_results=1000):
    info, data = run.info, run.data
    losses = [point.value for point in client.get_metric_history(info.run_id, "loss")]
    print(json.dumps([info.run_name, info.status, data.metrics, data.params, losses]))
"""


@pytest.fixture(scope="module")
def runs(recorded, sources):
    records = [json.loads(path.read_text()) for path in sorted(STUDY.rglob("run.json"))]
    return list(tracking.runs(recorded, sources["losses"], records))


@pytest.fixture(scope="module")
def read(runs, built_environment, tmp_path_factory):
    """Each run as MLflow knows it: name, status, metrics, parameters, losses."""
    python, _ = built_environment("mlflow")
    folder = str(tmp_path_factory.mktemp("mlflow") / "mlruns")
    lines = "".join(json.dumps(run) + "\n" for run in runs)
    subprocess.run([python, "-I", WRITER, folder], input=lines, text=True, check=True)
    command = [python, "-I", "-c", READER, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name: rest for name, *rest in map(json.loads, done.stdout.splitlines())}


def test_it_has_every_run(runs, read):
    assert set(read) == {run["name"] for run in runs}
    for run in runs:
        status, _, parameters, _ = read[run["name"]]
        assert status == ("FINISHED" if run["is_ok"] else "FAILED")
        assert parameters["network"] == run["settings"]["network"]


def test_it_has_every_value_and_the_losses(runs, read):
    assert any(run["series"]["loss"] for run in runs)
    for run in runs:
        _, metrics, _, losses = read[run["name"]]
        values = {name: value for name, value in metrics.items() if name != "loss"}
        assert values == pytest.approx(run["values"])
        assert losses == pytest.approx([loss for _, loss in run["series"]["loss"]])
