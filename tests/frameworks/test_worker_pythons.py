"""The worker on the oldest and the newest Python that it runs on, for real: parity included."""

import json
import subprocess
import sys

import examples
import numpy
import pytest

from trainmark.data.convert import convert
from trainmark.environments import Unavailable, interpreters, virtual
from trainmark.environments.uv import uv
from trainmark.runs import events
from trainmark.study.plugins import SCRIPTS

# Later wheels of lmdb claim Python 3.6 but hold no compiled module for it.
PARTS = ("numpy", "lmdb==1.4.1; python_version < '3.7'", "lmdb; python_version >= '3.7'")
STEPS = ["start", "environment", "built", "first_step", "parity", "network", "warmup"]
STEPS += ["window_start", "window_end", "evaluation", "end"]


@pytest.fixture(scope="module", params=["3.6", "3.13"])
def python(request, tmp_path_factory):
    """An interpreter of that version with what the worker needs."""
    folder = tmp_path_factory.mktemp("python")
    try:
        virtual.create(interpreters.find(request.param), folder)
    except Unavailable as error:
        pytest.skip(str(error))
    wheels = ("--only-binary", ":all:")
    done = uv("pip", "install", "--python", str(folder / "bin/python"), *wheels, *PARTS)
    if done.returncode:
        pytest.skip(f"can't install {PARTS} for Python {request.param}: {done.stderr[-200:]}")
    return folder / "bin/python"


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    """A short run of lenet on digits, with its reference."""
    folder = tmp_path_factory.mktemp("job")
    (folder / "source").mkdir()
    convert("digits", folder / "source", "lmdb", folder / "lmdb", subset=False)
    settings = {
        **examples.LENET,
        "batch_size": 16,
        "steps": 3,
        "threads": 1,
        "data": str(folder / "lmdb/dataset.json"),
        "reference": str(folder / "reference.npz"),
    }
    path = folder / "job.json"
    path.write_text(json.dumps(settings))
    script = SCRIPTS / "worker/proof/reference.py"
    subprocess.run([sys.executable, "-I", script, path, settings["reference"]], check=True)
    return path


def test_the_worker_runs_from_start_to_end(python, job):
    command = [python, "-I", SCRIPTS / "worker/run.py", job]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    log = events.parse(done.stdout)
    assert [event["event"] for event in log] == STEPS
    by_name = {event["event"]: event for event in log}
    assert by_name["parity"]["passed"]
    assert by_name["evaluation"]["count"] == 297
    assert numpy.isfinite(by_name["window_end"]["losses"]).all()
