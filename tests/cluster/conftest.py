"""A real Slurm of two nodes, and a checkout whose study is measured on it."""

import shutil

import pytest
from little_slurm import Slurm
from small_checkout import TWICE, Checkout

from trainmark.environments import Unavailable


@pytest.fixture(scope="session")
def slurm(tmp_path_factory):
    try:
        slurm = Slurm(tmp_path_factory.mktemp("slurm"))
    except Unavailable as error:
        pytest.skip(f"needs Slurm from Debian's packages: {error}")
    try:
        slurm.start()
        yield slurm
    finally:
        slurm.stop()


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
    """The same, with all runs to be measured."""
    shutil.rmtree(prepared.folder / "results/tiny", ignore_errors=True)
    prepared.write(TWICE)
    return prepared
