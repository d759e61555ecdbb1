"""A real Slurm of two nodes, and a checkout whose study is measured on it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from interrupts import can_be_interrupted
from little_slurm import OPTIONS, running
from small_checkout import MEASUREMENTS, TWICE, Checkout
from submitted_study import PROFILE, SNAKEMAKE


@pytest.fixture(scope="session")
def slurm(tmp_path_factory):
    with running(tmp_path_factory.mktemp("slurm")) as slurm:
        yield slurm


@pytest.fixture
def no_jobs(slurm, checkout):
    """Whatever a test leaves in the queue is cancelled, before it is killed in the checkout."""
    yield
    slurm.cancel_all()


@pytest.fixture
def program_that_waits(slurm, tmp_path):
    """Make a program of Slurm that does its work, and ends only when a file `end` is beside it.

    From its first call on, a file `called` is beside it too.
    """
    folder = tmp_path / "programs"
    folder.mkdir()

    def make(name):
        program = folder / name
        program.write_text(
            f"""#!/bin/sh
touch {folder}/called
{slurm.programs}/{name} "$@"
until [ -e {folder}/end ]; do sleep 0.1; done
"""
        )
        program.chmod(0o755)
        return program

    yield make
    (folder / "end").touch()


@pytest.fixture(scope="session")
def python():
    """That of the Snakemake with the plug-ins for clusters."""
    path = Path(__file__).parents[2] / ".venv-slurm" / "bin" / "python"
    if not path.exists():
        pytest.skip("needs the plug-ins for clusters: make slurm")
    return path


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A checkout in which `prepare` has made what runs need, as on a login node."""
    checkout = Checkout(tmp_path_factory.mktemp("checkout"))
    checkout.write(TWICE)
    checkout.snakemake("prepare")
    assert not checkout.runs()
    return checkout


@pytest.fixture
def checkout(prepared):
    """The prepared checkout with all runs to be measured; its processes end with the test."""
    for results in (prepared.folder / "results").glob("tiny*"):
        shutil.rmtree(results)
    prepared.write(TWICE)
    yield prepared
    prepared.kill()


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
            preexec_fn=can_be_interrupted,
        )
        started.append(snakemake)
        return snakemake

    yield start
    for snakemake in started:
        with snakemake:
            snakemake.kill()
