"""Snakemake inside an allocation, as docs/guides/cluster.md has it, on a real Slurm."""

import pytest
from small_checkout import CASE, MEASUREMENTS, TWICE
from submitted_study import IN_ALLOCATION, SECOND, ended, records
from waiting import wait_for

LONG = {**TWICE, "repeats": 1, "cases": {"first": CASE, "second": {**CASE, "window_seconds": 900}}}

pytestmark = pytest.mark.usefixtures("no_jobs")


@pytest.fixture
def submit(slurm, checkout):
    """Have the study measured by a job with further options; gives the job's number."""

    def submit(*options):
        arguments = ("--parsable", "--exclusive", "--output=%j.log", *options)
        wrapped = (*arguments, "--wrap", IN_ALLOCATION)
        return slurm.call("sbatch", *wrapped, folder=checkout.folder).strip()

    return submit


def test_a_study_is_measured_in_an_allocation_repeat_by_repeat(slurm, checkout, submit):
    job = submit("--partition=second")
    assert ended(slurm, job) == "COMPLETED", (checkout.folder / f"{job}.log").read_text()
    in_order = records(checkout)
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
