"""What becomes of the jobs that a killed Snakemake leaves in a real Slurm."""

import pytest
from small_checkout import CASE, KEPT, MEASUREMENTS, TWICE
from submitted_study import (
    LONG,
    SECOND,
    begin_second,
    end,
    job_of,
    jobs_of,
    records,
    worker_stopped,
)
from waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.usefixtures("no_jobs")


@pytest.mark.parametrize(
    "partition",
    # Without Slurm, tests/processes/test_orphans.py has the second.
    [
        pytest.param("first", id="behind it"),
        pytest.param("second", id="beside it", marks=pytest.mark.whole),
    ],
)
def test_the_job_of_a_killed_snakemake_measures_its_run_and_the_next_ones_takes_it(
    slurm, checkout, start, partition
):
    checkout.write(LONG)
    snakemake = begin_second(checkout, start)
    log = (checkout.folder / SECOND.replace("tiny/runs", "logs/train/tiny")).with_suffix(".log")

    def waits():
        """Whether the next one's job is behind it in the queue, or beside it and waits there."""
        if partition == "first":
            return jobs_of(slurm, "second") - {first}
        return log.exists() and "waiting for this run" in log.read_text()

    with worker_stopped(checkout):
        snakemake.kill()
        snakemake.communicate()
        first = job_of(slurm, "second")
        snakemake = start("--default-resources", "disk_mb=0", f"slurm_partition={partition}")
        wait_for(waits)
    end(snakemake)
    assert slurm.job(first)["JobState"] == "COMPLETED"
    assert KEPT in log.read_text()
    assert "Nothing to be done" in end(start())


@pytest.mark.whole
def test_a_run_that_another_job_measured_is_kept_where_the_one_that_waited_is_cancelled(
    slurm, checkout, start
):
    checkout.write(LONG)
    snakemake = begin_second(checkout, start)
    with worker_stopped(checkout):
        snakemake.kill()
        snakemake.communicate()
        first = job_of(slurm, "second")
        snakemake = start()
        (waiting,) = wait_for(lambda: jobs_of(slurm, "second") - {first})
        slurm.call("scontrol", "hold", waiting)
    wait_for(lambda: slurm.job(first)["JobState"] == "COMPLETED")
    (measured,) = [each for each in records(checkout) if each["job"]["case"] == "second"]
    slurm.call("scancel", waiting)
    snakemake.communicate(timeout=PATIENCE_SECONDS)
    assert snakemake.returncode != 0
    end(start())
    assert measured in records(checkout)


def test_a_job_that_slurm_begins_again_under_a_later_snakemake_keeps_what_was_measured_before(
    slurm, checkout, start
):
    checkout.write({**TWICE, "repeats": 1, "cases": {"first": CASE}})
    snakemake = start("--default-resources", "disk_mb=0", "slurm_partition=second")
    job = wait_for(lambda: jobs_of(slurm, "first")).pop()
    wait_for(lambda: slurm.job(job)["JobState"] == "RUNNING")
    snakemake.kill()
    snakemake.communicate()
    slurm.call("scontrol", "requeuehold", job)
    end(start())
    measured = records(checkout)
    (checkout.folder / MEASUREMENTS).unlink()
    end(start())
    slurm.call("scontrol", "release", job)
    slurm.call("scontrol", "update", f"JobId={job}", "StartTime=now")
    wait_for(lambda: slurm.job(job)["JobState"] == "COMPLETED")
    assert records(checkout) == measured


def test_what_a_killed_snakemakes_job_measured_is_kept_where_settings_had_changed_before(
    slurm, checkout, start
):
    study = {**TWICE, "repeats": 1, "cases": {"first": CASE}}
    checkout.write(study)
    end(start())
    checkout.write({**study, "seed": 2})
    snakemake = start()
    job = wait_for(lambda: jobs_of(slurm, "first")).pop()
    snakemake.kill()
    snakemake.communicate()
    wait_for(lambda: slurm.job(job)["JobState"] == "COMPLETED")
    measured = records(checkout)
    assert [record["job"]["seed"] for record in measured] == [2]
    end(start())
    assert records(checkout) == measured


def test_what_a_job_measured_is_measured_anew_where_settings_change_after_its_snakemake_was_killed(
    slurm, checkout, start, program_that_waits
):
    study = {**TWICE, "repeats": 1, "cases": {"first": CASE}}
    checkout.write(study)
    sbatch = program_that_waits("sbatch")
    snakemake = start(programs=sbatch.parent)
    job = wait_for(lambda: jobs_of(slurm, "first")).pop()
    snakemake.kill()
    sbatch.with_name("end").touch()
    snakemake.communicate()
    wait_for(lambda: slurm.job(job)["JobState"] == "COMPLETED")
    checkout.write({**study, "seed": 2})
    end(start())
    assert [record["job"]["seed"] for record in records(checkout)] == [2]
