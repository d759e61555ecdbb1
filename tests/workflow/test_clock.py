"""A clock that was set back: files of the future make nothing again, and no run is lost."""

import os
import time

import pytest
from small_checkout import MEASUREMENTS, TWICE, Checkout
from waiting import wait_for

DAY_SECONDS = 86400


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    checkout = Checkout(tmp_path_factory.mktemp("checkout"))
    checkout.write(TWICE)
    checkout.snakemake("prepare")
    yield checkout
    checkout.kill()


def date_tomorrow(checkout, *parts):
    """Date files of results/ a day later than now, all of them or those of some parts."""
    tomorrow = time.time() + DAY_SECONDS
    for folder in [checkout.folder / "results" / part for part in parts or ("",)]:
        for path in folder.rglob("*"):
            os.utime(path, (tomorrow, tomorrow))


def records(checkout):
    return {path: path.read_bytes() for path in checkout.folder.rglob("run.json")}


def test_runs_are_measured_with_what_was_made_before(checkout):
    date_tomorrow(checkout)
    printed, measured = checkout.snakemake()
    assert "the clock was set back: " in printed
    assert len(measured) == 2
    assert "Nothing to be done" in checkout.snakemake()[0]


def test_a_clock_that_is_set_back_while_a_run_is_measured_loses_nothing(checkout):
    checkout.write({**TWICE, "repeats": 3})
    study = checkout.start()
    wait_for(lambda: list(checkout.folder.glob("results/tiny/runs/**/r3/worker.log")), study)
    date_tomorrow(checkout, "references", "data")
    printed, _ = study.communicate()
    assert study.returncode == 0, printed


def test_runs_of_before_are_not_measured_again(checkout):
    checkout.write(TWICE)
    checkout.snakemake()
    before = records(checkout)
    assert before
    date_tomorrow(checkout)
    checkout.snakemake()
    assert records(checkout) == before
    table = checkout.folder / MEASUREMENTS
    assert table.stat().st_mtime < time.time()
    assert "Nothing to be done" in checkout.snakemake()[0]
