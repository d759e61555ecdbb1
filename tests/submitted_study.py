"""A study that is measured on a real Slurm: submitted run by run, or inside an allocation."""

import json
import shlex
import sys
from contextlib import contextmanager
from pathlib import Path

from small_checkout import CASE, MEASUREMENTS, TWICE
from waiting import PATIENCE_SECONDS, wait_for

SNAKEMAKE = Path(__file__).parent / "cluster" / "watchful_snakemake.py"
PROFILE = ("--workflow-profile", "profiles/slurm", "--configfile", "study.yaml")
IN_ALLOCATION = (
    f"exec {shlex.quote(sys.executable)} -m snakemake --configfile study.yaml -- {MEASUREMENTS}"
)
"""A job's command that measures the study where it is."""
LONG = {**TWICE, "repeats": 1, "cases": {"first": CASE, "second": {**CASE, "window_seconds": 10}}}
FIRST, SECOND = (
    f"results/tiny/runs/{case}/numpy/cpu/float32/train-dataset/r1" for case in TWICE["cases"]
)


def end(snakemake):
    """What it printed, once it has done all that it was to do."""
    printed, _ = snakemake.communicate(timeout=PATIENCE_SECONDS)
    assert snakemake.returncode == 0, printed
    return printed


def begin_second(checkout, start):
    """A Snakemake whose job measures the second run, after the first was measured without Slurm."""
    checkout.snakemake(f"{FIRST}/run.json")
    snakemake = start()
    checkout.wait_for_warmup(SECOND)
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


def ended(slurm, job):
    """The state in which a job ends."""
    under_way = ("PENDING", "RUNNING", "COMPLETING")
    wait_for(lambda: slurm.job(job)["JobState"] not in under_way)
    return slurm.job(job)["JobState"]


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
