"""Jobs of a Snakemake that was killed, which a batch system goes on with beside the next one's."""

import json
import os
import subprocess
import sys

from small_checkout import CASE, KEPT, ONE, RUN
from submitted_study import end, worker_stopped

LONG = {**ONE, "cases": {"first": {**CASE, "window_seconds": 15}}}
WILDCARDS = {
    "study": "tiny",
    "case": "first",
    "framework": "numpy",
    "device": "cpu",
    "precision": "float32",
    "stage": "train",
    "input_mode": "dataset",
    "repeat": "1",
}
TARGET = "train:" + ",".join(f"{name}={value}" for name, value in WILDCARDS.items())


def start_job(checkout):
    """The run's job, as executors have nodes start it."""
    options = "--mode remote --force --no-hooks --nolock --ignore-incomplete --cores all"
    command = [sys.executable, "-m", "snakemake", "--configfile", "study.yaml", *options.split()]
    return subprocess.Popen(
        [*command, "--target-jobs", TARGET],
        cwd=checkout.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def record(checkout):
    return json.loads((checkout.folder / RUN / "run.json").read_text())


def test_two_jobs_of_one_run_measure_it_once(checkout):
    checkout.write(LONG)
    first = start_job(checkout)
    checkout.wait_for_warmup(RUN)
    with worker_stopped(checkout):
        second = start_job(checkout)
        assert any("waiting for this run: process " in line for line in second.stdout)
    assert KEPT not in end(first)
    measured = record(checkout)
    assert KEPT in end(second)
    assert record(checkout) == measured


def test_a_job_that_starts_after_the_other_measures_nothing(checkout):
    end(start_job(checkout))
    measured = record(checkout)
    assert KEPT in end(start_job(checkout))
    assert record(checkout) == measured


def test_a_run_that_is_older_than_the_snakemake_is_measured_again_where_that_asks_for_it(checkout):
    end(start_job(checkout))
    measured = record(checkout)
    os.utime(checkout.folder / RUN / "run.json", (1e9, 1e9))
    assert KEPT not in end(start_job(checkout))
    assert record(checkout) != measured
