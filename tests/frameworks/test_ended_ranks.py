"""Adapters with a process for each device: one that ends is told, and none outlives the leader."""

import json
import subprocess
import time
from pathlib import Path

import examples
import psutil
import pytest

from trainmark.runs import events
from trainmark.runs.launch import worker_environment
from trainmark.study import plugins

RUN = plugins.SCRIPTS / "worker" / "run.py"
LONG = {**examples.LENET, "device": "cpu:2", "input_mode": "synthetic", "steps": 1_000_000}
SHARED_MEMORY = Path("/dev/shm")

every_adapter = pytest.mark.parametrize("adapter", ["cntk", "pytorch"])


@pytest.fixture
def training(framework_environment, tmp_path):
    """Start endless training on two devices; gives the process, the other rank's, its output."""
    started = []

    def start(adapter):
        python, variables = framework_environment(adapter)
        (tmp_path / "job.json").write_text(json.dumps(examples.of_adapter(LONG, adapter)))
        output = tmp_path / "output"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [python, "-I", RUN, "job.json"],
                cwd=tmp_path,
                env=worker_environment(python, LONG["threads"], (), variables),
                stdout=stream,
                stderr=subprocess.STDOUT,
            )
        started.append(process)
        while events.last(events.scan(output.read_text()).events, "warmup") is None:
            assert process.poll() is None, output.read_text()
            time.sleep(0.1)
        return process, other_rank(process), output

    yield start
    for process in started:
        process.kill()
        process.wait()


def other_rank(process):
    """The process that multiprocessing started."""
    (found,) = [
        child
        for child in psutil.Process(process.pid).children()
        if "spawn_main" in " ".join(child.cmdline())
    ]
    return found


def mpi_folders():
    return {path.name for path in SHARED_MEMORY.glob("ompi.*")}


@every_adapter
def test_a_rank_that_ends_is_told(training, adapter):
    process, rank, output = training(adapter)
    rank.kill()
    assert process.wait(timeout=30) == 1
    error = events.last(events.scan(output.read_text()).events, "error")
    assert error["kind"] == "failed"
    assert error["message"] == "RankFailed: rank 1 ended with exit code -9"


@every_adapter
def test_nothing_outlives_a_leader_that_is_killed(training, adapter):
    before = mpi_folders()
    process, _, _ = training(adapter)
    others = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(others, timeout=10)
    assert [other for other in alive if other.status() != psutil.STATUS_ZOMBIE] == []
    assert mpi_folders() <= before
