"""A run on two nodes of a real Slurm, which go by host names of their own.

It is one of the numpy adapter, which trains on one: what is tested is how nodes are found and held.
"""

import json
import os
import subprocess

import pytest
from little_slurm import AS_HOST, OPTIONS, running
from small_checkout import CASE, MEASUREMENTS, TWICE
from submitted_study import IN_ALLOCATION, PROFILE, SNAKEMAKE, ended
from waiting import PATIENCE_SECONDS

STUDY = {**TWICE, "repeats": 1, "devices": ["cpu:2x1"], "cases": {"first": CASE}}
IN_BOTH = ("--default-resources", "slurm_partition=both", "disk_mb=0")


@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    """A Slurm whose nodes are hosts called a and b."""
    done = subprocess.run([*AS_HOST, "a", "hostname"], capture_output=True, text=True)
    if done.stdout != "a\n":
        pytest.skip(f"needs namespaces of host names: {done.stderr.strip()}")
    with running(tmp_path_factory.mktemp("slurm"), are_hosts=True) as slurm:
        yield slurm


@pytest.fixture
def study(hosts, checkout):
    """A checkout with the study, in which each host has a lock of its own."""
    lock = f'"{checkout.folder}/lock"'
    locks = f'"{checkout.folder}/lock-" + socket.gethostname()'
    checkout.edit("trainmark/machine/file_locks.py", lock, locks)
    checkout.write(STUDY)
    yield checkout
    hosts.cancel_all()
    checkout.edit("trainmark/machine/file_locks.py", locks, lock)


def check(study):
    """The run was held and recorded on both nodes."""
    (path,) = (study.folder / "results/tiny/runs").rglob("run.json")
    record = json.loads(path.read_text())
    assert record["reason"] == "cpu:2x1: numpy trains on one device"
    (other,) = record["provenance"]["nodes"]
    names = [each["host"]["hostname"] for each in (record["provenance"], other)]
    assert names == ["a", "b"]
    assert (path.parent / "worker-2.log").exists()


def test_nodes_are_those_of_the_allocation(hosts, study):
    options = ("--parsable", "--exclusive", "--nodes=2", "--partition=both", "--output=%j.log")
    script = f"PATH={hosts.programs}:$PATH; {IN_ALLOCATION}"
    job = hosts.call("sbatch", *options, "--wrap", script, folder=study.folder).strip()
    assert ended(hosts, job) == "COMPLETED"
    check(study)


def test_a_run_is_submitted_to_as_many_nodes_as_it_has(hosts, study, python):
    done = subprocess.run(
        [python, SNAKEMAKE, *PROFILE, *OPTIONS, *IN_BOTH, "--", MEASUREMENTS],
        cwd=study.folder,
        env={**os.environ, "PATH": f"{hosts.programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    check(study)
