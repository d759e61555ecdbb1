"""Requirements of a study that this machine does not meet."""

import os
from pathlib import Path

import pytest
from small_study import case, make

from trainmark.machine.shortcomings import shortcomings

CORES = len(os.sched_getaffinity(0))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without any results."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def messages(machine=None, measures_here=True, **changes):
    study = make(**changes, machine=machine or {})
    runs = list(study.runs.values())
    return list(shortcomings(runs, runs if measures_here else [], study.config))


def test_a_study_that_this_machine_can_do_has_none():
    assert messages({"threads": CORES}) == []


def test_runs_on_gpus_that_are_not_there_are_counted():
    (line,) = messages(devices=["cpu", "cuda:64"])
    assert line.startswith("cuda:64 asks for 64 GPUs, and there ")
    assert line.endswith(": its 4 runs will be unavailable")


def test_what_is_left_out_asks_for_nothing():
    left_out = [{"where": {"device": "cuda:64"}, "reason": "none here"}]
    assert messages(devices=["cpu", "cuda:64"], exclude=left_out) == []


def test_more_threads_than_cores_are_reported():
    (line,) = messages({"threads": 2 * CORES})
    assert line == f"machine.threads: {2 * CORES} threads for the {CORES} cores that there are here"


def test_nothing_is_reported_of_a_login_node_where_nothing_is_measured():
    assert messages({"threads": 2 * CORES}, measures_here=False, devices=["cuda:64"]) == []


def test_a_mirror_that_is_not_there_is_reported_once_for_all_forms_of_its_data_set(tmp_path):
    cases = {
        name: case(dataset=f"imagenet{form}", batch_size=1)["lenet-digits"]
        for name, form in (("first", ""), ("second", "-short256"))
    }
    absent = f"file://{tmp_path}/absent"
    mirrors = {"imagenet": [str(tmp_path), "https://mirror.example", absent], "mnist": ["/absent"]}
    machine = {"mirrors": mirrors}
    assert messages(machine, cases=cases) == [
        f"machine.mirrors.imagenet: there is no {tmp_path}/absent here"
    ]


def test_a_data_set_that_is_there_needs_no_mirror(tmp_path):
    record = tmp_path / "results/data/mnist/source.json"
    machine = {"mirrors": {"mnist": ["/absent"]}}
    changes = {"cases": case(dataset="mnist")}
    assert messages(machine, **changes) == ["machine.mirrors.mnist: there is no /absent here"]
    record.parent.mkdir(parents=True)
    record.touch()
    assert messages(machine, **changes) == []
