"""Snakemake on a login node, which submits each run to a real Slurm: docs/guides/cluster.md.

benchmarks/cluster_kills.py kills it, its jobs and its nodes at random moments.
"""

import json
import os
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from little_slurm import OPTIONS
from little_worker import wait_for
from small_checkout import CASE, KEPT, MEASUREMENTS, TWICE

pytestmark = pytest.mark.usefixtures("no_jobs")

SNAKEMAKE = Path(__file__).parent / "watchful_snakemake.py"
PROFILE = ("--workflow-profile", "profiles/slurm", "--configfile", "study.yaml")
LONG = {**TWICE, "repeats": 1, "cases": {"first": CASE, "second": {**CASE, "window_seconds": 10}}}
ENDLESS = {**LONG, "cases": {"first": CASE, "second": {**CASE, "window_seconds": 900}}}
MACHINES = {
    "epyc": {"resources": {"slurm_partition": "first"}, "queued": 1},
    "k20": {"resources": {"slurm_partition": "second"}, "queued": 1},
}
FIRST, SECOND = (
    f"results/tiny/runs/{case}/numpy/cpu/float32/train-dataset/r1" for case in TWICE["cases"]
)


@pytest.fixture
def start(slurm, checkout, python):
    """Start Snakemake, with further options; those that a test leaves are killed."""
    started = []

    def start(*options, targets=(MEASUREMENTS,), programs=slurm.programs):
        path = f"{programs}{os.pathsep}{slurm.programs}{os.pathsep}{os.environ['PATH']}"
        command = [python, SNAKEMAKE, *PROFILE, *OPTIONS, *options, "--", *targets]
        snakemake = subprocess.Popen(
            command,
            cwd=checkout.folder,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        started.append(snakemake)
        return snakemake

    yield start
    for snakemake in started:
        with snakemake:
            snakemake.kill()


@pytest.fixture
def sbatch_that_waits(slurm, tmp_path):
    """An sbatch that submits a job, and ends only when there is a file `killed` beside it."""
    program = tmp_path / "programs" / "sbatch"
    program.parent.mkdir()
    program.write_text(
        f"""#!/bin/sh
{slurm.programs}/sbatch "$@"
until [ -e {program.with_name("killed")} ]; do sleep 0.1; done
"""
    )
    program.chmod(0o755)
    yield program
    program.with_name("killed").touch()


def end(snakemake):
    """What it printed, once it has done all that it was to do."""
    printed, _ = snakemake.communicate(timeout=240)
    assert snakemake.returncode == 0, printed
    return printed


def begin_second(checkout, start):
    """A Snakemake whose job measures the second run, after the first was measured without Slurm."""
    checkout.snakemake(f"{FIRST}/run.json")
    snakemake = start()
    log = checkout.folder / SECOND / "worker.log"
    wait_for(lambda: log.exists() and b"warmup" in log.read_bytes(), seconds=120)
    return snakemake


@contextmanager
def worker_stopped(checkout):
    """The worker of the run stands still, however long another Snakemake takes to begin."""
    (worker,) = checkout.processes("worker/run.py")
    worker.suspend()
    try:
        yield
    finally:
        worker.resume()


def jobs_of(slurm, case):
    """The numbers of the jobs that measure a case, or wait for it."""
    lines = slurm.call("squeue", "--noheader", "--format=%i %k").splitlines()
    return {line.split()[0] for line in lines if f"wildcards_tiny_{case}_" in line}


def job_of(slurm, case):
    """The number of the one job that measures a case."""
    (number,) = jobs_of(slurm, case)
    return number


def records(checkout, studies="tiny"):
    """All records of the studies, in the order in which their runs began."""
    paths = (checkout.folder / "results").glob(f"{studies}/runs/**/run.json")
    contents = [json.loads(path.read_text()) for path in paths]
    return sorted(contents, key=lambda record: record["provenance"]["started"])


def test_runs_are_jobs_repeat_by_repeat(checkout, start):
    end(start())
    runs = records(checkout)
    assert [record["status"] for record in runs] == ["ok"] * 4
    assert [record["job"]["repeat"] for record in runs] == [1, 1, 2, 2]
    assert "Nothing to be done" in end(start())


WAYS = {
    "a job is cancelled": lambda slurm, _: slurm.call("scancel", job_of(slurm, "second")),
    "Snakemake is told to end": lambda _, snakemake: snakemake.terminate(),
}


@pytest.mark.parametrize("act", WAYS.values(), ids=WAYS)
def test_nothing_of_a_run_is_left_and_the_next_call_goes_on_where(slurm, checkout, start, act):
    checkout.write(ENDLESS)
    snakemake = begin_second(checkout, start)
    before = checkout.runs()
    act(slurm, snakemake)
    wait_for(lambda: not slurm.call("squeue", "--noheader"), seconds=20)
    assert [path.name for path in (checkout.folder / SECOND).iterdir()] == [".lock"]
    snakemake.communicate(timeout=240)
    assert snakemake.returncode != 0
    checkout.write({**TWICE, "repeats": 1})
    end(start())
    after = checkout.runs()
    assert (len(after), after["first/numpy"]) == (2, before["first/numpy"])


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
        wait_for(waits, seconds=60)
    end(snakemake)
    assert slurm.job(first)["JobState"] == "COMPLETED"
    assert KEPT in log.read_text()
    assert "Nothing to be done" in end(start())


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
        (waiting,) = wait_for(lambda: jobs_of(slurm, "second") - {first}, seconds=60)
        slurm.call("scontrol", "hold", waiting)
    wait_for(lambda: slurm.job(first)["JobState"] == "COMPLETED", seconds=60)
    (measured,) = [each for each in records(checkout) if each["job"]["case"] == "second"]
    slurm.call("scancel", waiting)
    snakemake.communicate(timeout=240)
    assert snakemake.returncode != 0
    end(start())
    assert measured in records(checkout)


def test_a_job_that_slurm_begins_again_under_a_later_snakemake_keeps_what_was_measured_before(
    slurm, checkout, start
):
    checkout.write({**TWICE, "repeats": 1, "cases": {"first": CASE}})
    snakemake = start("--default-resources", "disk_mb=0", "slurm_partition=second")
    job = wait_for(lambda: jobs_of(slurm, "first"), seconds=60).pop()
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
    wait_for(lambda: slurm.job(job)["JobState"] == "COMPLETED", seconds=60)
    assert records(checkout) == measured


def test_what_a_killed_snakemakes_job_measured_is_kept_where_settings_had_changed_before(
    slurm, checkout, start
):
    study = {**TWICE, "repeats": 1, "cases": {"first": CASE}}
    checkout.write(study)
    end(start())
    checkout.write({**study, "seed": 2})
    snakemake = start()
    job = wait_for(lambda: jobs_of(slurm, "first"), seconds=60).pop()
    snakemake.kill()
    snakemake.communicate()
    wait_for(lambda: slurm.job(job)["JobState"] == "COMPLETED", seconds=60)
    measured = records(checkout)
    assert [record["job"]["seed"] for record in measured] == [2]
    end(start())
    assert records(checkout) == measured


def test_what_a_job_measured_is_measured_anew_where_settings_change_after_its_snakemake_was_killed(
    slurm, checkout, start, sbatch_that_waits
):
    study = {**TWICE, "repeats": 1, "cases": {"first": CASE}}
    checkout.write(study)
    snakemake = start(programs=sbatch_that_waits.parent)
    job = wait_for(lambda: jobs_of(slurm, "first"), seconds=60).pop()
    snakemake.kill()
    sbatch_that_waits.with_name("killed").touch()
    snakemake.communicate()
    wait_for(lambda: slurm.job(job)["JobState"] == "COMPLETED", seconds=60)
    checkout.write({**study, "seed": 2})
    end(start())
    assert [record["job"]["seed"] for record in records(checkout)] == [2]


def test_a_partition_that_is_not_there_is_named(checkout, start):
    checkout.write({**TWICE, "repeats": 1})
    snakemake = start("--default-resources", "disk_mb=0", "slurm_partition=nowhere")
    printed, _ = snakemake.communicate(timeout=120)
    assert snakemake.returncode != 0
    (message,) = [line for line in printed.splitlines() if "failed: Measure first/" in line]
    assert "invalid partition specified: nowhere" in message
    assert not checkout.runs()


def test_each_machine_of_a_study_is_measured_on_its_nodes_repeat_by_repeat(checkout, start):
    checkout.write({**TWICE, "cases": {"first": CASE}, "machines": MACHINES})
    end(start())
    runs = records(checkout)
    assert [record["status"] for record in runs] == ["ok"] * 4
    for name, node in {"epyc": "a", "k20": "b"}.items():
        on_machine = [record for record in runs if record["job"]["machine_name"] == name]
        assert [record["provenance"]["batch"]["node"] for record in on_machine] == [node, node]
        assert [record["job"]["repeat"] for record in on_machine] == [1, 2]
    assert "Nothing to be done" in end(start())


def test_a_set_is_measured_study_by_study_on_the_machines_of_each(checkout, start):
    names = "tiny", "tiny-again"
    for name in names:
        study = {**TWICE, "study": name, "cases": {"first": CASE}, "machines": MACHINES}
        (checkout.folder / f"{name}.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    checkout.write({"studies": {name: [f"{name}.yaml"] for name in names}})
    targets = [f"results/{name}/measurements.csv" for name in names]
    end(start(targets=targets))
    jobs = [record["job"] for record in records(checkout, "tiny*") if record["status"] == "ok"]
    for machine in MACHINES:
        on_machine = [job for job in jobs if job["machine_name"] == machine]
        turns = [(job["study"], job["repeat"]) for job in on_machine]
        assert turns == [(name, repeat) for name in names for repeat in (1, 2)]
    assert "Nothing to be done" in end(start(targets=targets))


def test_a_machine_whose_partition_is_not_there_is_named_and_the_others_are_measured(
    checkout, start
):
    nowhere = {**MACHINES, "k20": {"resources": {"slurm_partition": "nowhere"}}}
    checkout.write({**TWICE, "repeats": 1, "cases": {"first": CASE}, "machines": nowhere})
    snakemake = start()
    printed, _ = snakemake.communicate(timeout=120)
    assert snakemake.returncode != 0
    (message,) = [line for line in printed.splitlines() if "failed: Measure first@k20/" in line]
    assert "invalid partition specified: nowhere" in message
    assert list(checkout.runs()) == ["first@epyc/numpy"]
