"""Adapters with a process for each device: a lost one is reported, and none outlives the leader."""

from pathlib import Path

import examples
import psutil
import pytest
from waiting import PATIENCE_SECONDS

from trainmark.runs import events

LONG = {**examples.LENET, "device": "cpu:2", "input_mode": "synthetic", "steps": 1_000_000}
SHARED_MEMORY = Path("/dev/shm")

WHOLE = pytest.mark.whole


def other_rank(process):
    """The process that multiprocessing started."""
    (rank,) = [
        child
        for child in psutil.Process(process.pid).children()
        if "spawn_main" in " ".join(child.cmdline())
    ]
    return rank


def mpi_folders(processes):
    """Those in shared memory that one of some processes made: OpenMPI names them by its number."""
    return [path for each in processes for path in SHARED_MEMORY.glob(f"ompi.{each.pid}")]


@pytest.mark.parametrize("adapter", ["pytorch", pytest.param("cntk", marks=WHOLE)])
def test_a_rank_that_ends_is_reported(endless_training, adapter):
    process, output = endless_training(adapter, LONG)
    other_rank(process).kill()
    assert process.wait(timeout=PATIENCE_SECONDS) == 1
    error = events.last(events.scan(output.read_text()).events, "error")
    assert error["kind"] == "failed"
    assert error["message"] == "RankFailed: rank 1 ended with exit code -9"


@pytest.mark.parametrize("adapter", ["cntk", pytest.param("pytorch", marks=WHOLE)])
def test_nothing_outlives_a_leader_that_is_killed(endless_training, left_of, adapter):
    process, _ = endless_training(adapter, LONG)
    others = psutil.Process(process.pid).children(recursive=True)
    assert others
    assert len(mpi_folders(others)) == (adapter == "cntk")
    process.kill()
    process.wait()
    assert left_of(others) == []
    assert mpi_folders(others) == []
