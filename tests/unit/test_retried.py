"""Environments and data sets that runs lacked are tried again once their records are deleted."""

import json
from pathlib import Path

import pytest
from little_record import record
from small_study import make

from trainmark.runs.resume import retried

ENVIRONMENT = "results/environments/numpy.json"
SOURCE, INDEX = (f"results/data/digits/{name}" for name in ("source.json", "lmdb/dataset.json"))
RECORDS = (ENVIRONMENT, SOURCE, INDEX)
PLAN = make()
RUNS = Path("results/example/runs")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder in which everything was made."""
    monkeypatch.chdir(tmp_path)
    for path in RECORDS:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()


def ended(**statuses: str) -> None:
    """Write each framework's runs, of a status each."""
    for run in PLAN.runs.values():
        status = statuses[run.settings["framework"].replace("-", "_")]
        (RUNS / run.path).mkdir(parents=True)
        (RUNS / run.path / "run.json").write_text(json.dumps(record(status=status)))


@pytest.mark.parametrize("record", RECORDS)
def test_a_deleted_record_that_a_run_lacked_is_requested(record: str) -> None:
    ended(numpy="ok", numpy_again="unavailable")
    assert retried(PLAN.runs.values(), RUNS) == []
    Path(record).unlink()
    assert retried(PLAN.runs.values(), RUNS) == [record]


def test_whoever_makes_room_on_the_disk_measures_nothing_again() -> None:
    ended(numpy="ok", numpy_again="failed")
    for path in RECORDS:
        Path(path).unlink()
    assert retried(PLAN.runs.values(), RUNS) == []


def test_nothing_is_requested_before_the_first_run() -> None:
    Path(SOURCE).unlink()
    assert retried(PLAN.runs.values(), RUNS) == []
