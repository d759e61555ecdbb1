"""A little worker that is run as the launcher runs a framework's, and a checkout with one run."""

import json
import shutil
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from little_worker import CODE, JOB, LOCK, PRELUDE, Record, Run, validate
from machine_settings import ONCE, UNLIMITED
from small_checkout import ONE, RUN, Checkout

from trainmark.machine import file_locks
from trainmark.machine.disturbances import Limits
from trainmark.runs.guard import Guard
from trainmark.runs.job import Task
from trainmark.runs.measure import Patience, measure


@pytest.fixture
def own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These runs measure nothing, so they needn't wait for whoever does."""
    monkeypatch.setattr(file_locks, "MACHINE_LOCK", tmp_path / "lock")


@pytest.fixture
def run(tmp_path: Path, own_lock: None) -> Run:
    """Measure a little worker, given as source code, and return its valid run.json."""

    def run(
        source: str,
        limits: Limits = UNLIMITED,
        patience: Patience = ONCE,
        say: Callable[[str], None] = lambda line: None,
        **settings: Any,
    ) -> Record:
        runner = tmp_path / "worker.py"
        runner.write_text(PRELUDE + textwrap.dedent(source))
        folder = tmp_path / "run"
        job = {**JOB, **settings}
        with Guard() as guard:
            measure(Task(job, LOCK, CODE, folder), limits, patience, guard, say, runner)
        record: Record = json.loads((folder / "run.json").read_text())
        validate(record)
        return record

    return run


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which all is there that the run of ONE needs, and a Snakemake has begun."""
    checkout = Checkout(tmp_path_factory.mktemp("checkout"))
    checkout.write(ONE)
    checkout.snakemake("prepare")
    return checkout


@pytest.fixture
def checkout(prepared: Checkout) -> Iterator[Checkout]:
    """The prepared checkout with that run to be measured; its processes end with the test."""
    shutil.rmtree(prepared.folder / RUN, ignore_errors=True)  # a test before may have failed
    prepared.write(ONE)
    yield prepared
    prepared.kill()
