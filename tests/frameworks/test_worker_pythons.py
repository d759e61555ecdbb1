"""The worker on the oldest and the newest Python that it runs on, for real: parity included."""

import examples
import numpy
import pytest

from trainmark.environments import Unavailable, interpreters, virtual
from trainmark.environments.uv import uv
from trainmark.runs import events
from trainmark.study.plugins import SCRIPTS

# Later wheels of lmdb claim Python 3.6 but hold no compiled module for it.
PARTS = ("numpy", "lmdb==1.4.1; python_version < '3.7'", "lmdb; python_version >= '3.7'")
JOB = {**examples.LENET, "batch_size": 16, "steps": 3}
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


def test_the_worker_runs_from_start_to_end(run_script, python, converted, reference, tmp_path):
    paths = {"data": str(converted("digits", "numpy")), "reference": str(reference(JOB))}
    environment, script = (python, {}), SCRIPTS / "worker" / "run.py"
    printed = run_script(environment, script, {**JOB, **paths}, tmp_path / "run", "job.json")
    log = events.parse(printed)
    assert [event["event"] for event in log] == STEPS
    by_name = {event["event"]: event for event in log}
    assert by_name["parity"]["passed"]
    assert by_name["evaluation"]["count"] == 297
    assert numpy.isfinite(by_name["window_end"]["losses"]).all()
