"""Snakemake inside an allocation, as docs/guides/cluster.md has it, on a real Slurm."""

import json
import shlex
import sys

import pytest
from small_checkout import CASE, MEASUREMENTS, TWICE
from waiting import wait_for

LONG = {**TWICE, "repeats": 1, "cases": {"first": CASE, "second": {**CASE, "window_seconds": 900}}}
SECOND = "results/tiny/runs/second/numpy/cpu/float32/train-dataset/r1"
SNAKEMAKE = (
    f"exec {shlex.quote(sys.executable)} -m snakemake --configfile study.yaml -- {MEASUREMENTS}"
)


pytestmark = pytest.mark.usefixtures("no_jobs")


@pytest.fixture
def submit(slurm, checkout):
    """Have the study measured by a job with further options; gives the job's number."""

    def submit(*options):
        arguments = ("--parsable", "--exclusive", "--output=%j.log", *options, "--wrap", SNAKEMAKE)
        return slurm.call("sbatch", *arguments, folder=checkout.folder).strip()

    return submit


def ended(slurm, job):
    """The state in which a job ends."""
    under_way = ("PENDING", "RUNNING", "COMPLETING")
    wait_for(lambda: slurm.job(job)["JobState"] not in under_way)
    return slurm.job(job)["JobState"]


def records(checkout):
    paths = (checkout.folder / "results/tiny/runs").rglob("run.json")
    return [json.loads(path.read_text()) for path in paths]


def test_a_study_is_measured_in_an_allocation_repeat_by_repeat(slurm, checkout, submit):
    job = submit("--partition=second")
    assert ended(slurm, job) == "COMPLETED", (checkout.folder / f"{job}.log").read_text()
    in_order = sorted(records(checkout), key=lambda record: record["provenance"]["started"])
    assert [record["status"] for record in in_order] == ["ok"] * 4
    assert [record["job"]["repeat"] for record in in_order] == [1, 1, 2, 2]
    assert (checkout.folder / MEASUREMENTS).exists()


def let_time_run_out(slurm, job):
    """Its limit is in minutes and looked at every half minute, so its end is set to now."""
    slurm.call("scontrol", "update", f"JobId={job}", "EndTime=now")


def cancel(slurm, job):
    slurm.call("scancel", job)


@pytest.mark.parametrize(
    ("act", "state"),
    [
        pytest.param(cancel, "CANCELLED", id="cancelled", marks=pytest.mark.whole),
        pytest.param(let_time_run_out, "TIMEOUT", id="out of time"),
    ],
)
def test_a_job_that_is(slurm, checkout, submit, act, state):
    """Leaves nothing of the run that it measured; the next one goes on, and measures that alone."""
    checkout.write({**LONG, "cases": {"first": CASE}})
    assert ended(slurm, submit()) == "COMPLETED"
    before = checkout.runs()
    assert list(before) == ["first/numpy"]
    checkout.write(LONG)
    job = submit()
    checkout.wait_for_warmup(SECOND)
    act(slurm, job)
    assert ended(slurm, job) == state
    wait_for(lambda: not checkout.processes())
    assert [path.name for path in (checkout.folder / SECOND).iterdir()] == [".lock"]
    assert checkout.runs() == before
    checkout.write({**TWICE, "repeats": 1})
    assert ended(slurm, submit()) == "COMPLETED"
    after = checkout.runs()
    assert (len(after), after["first/numpy"]) == (2, before["first/numpy"])
