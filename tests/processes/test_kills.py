"""What is left of a study whose Snakemake is killed or told to end, at its weak moments.

benchmarks/kills.py does so at random ones, and cluster_kills.py on a batch system.
"""

import signal
from contextlib import contextmanager

import pytest
from small_checkout import CASE, KEPT, ONE, RUN
from waiting import LONG_SECONDS, PATIENCE_SECONDS, wait_for

LONG = {**ONE, "cases": {"first": {**CASE, "steps": 1000}}}
RECORD = f"{RUN}/run.json"
BEGIN, END = "from trainmark.errors", "    os._exit(0)"


@contextmanager
def lingering(checkout, before):
    """Runs whose script waits for long before one of its lines."""
    indent = " " * (len(before) - len(before.lstrip()))
    pause = f"{indent}import time; time.sleep({LONG_SECONDS})\n"
    checkout.edit("train.py", before, pause + before)
    try:
        yield
    finally:
        checkout.edit("train.py", pause, "")


def kill(checkout, snakemake, number=signal.SIGKILL):
    """Send a signal to Snakemake alone; everything in its checkout has to end."""
    snakemake.send_signal(number)
    snakemake.communicate(timeout=PATIENCE_SECONDS)
    wait_for(lambda: not checkout.processes())


def test_a_run_ends_with_its_snakemake_even_while_its_script_imports(checkout):
    with lingering(checkout, before=BEGIN):
        snakemake = checkout.start(RECORD)
        wait_for(lambda: checkout.processes(".train.py"))
        kill(checkout, snakemake)
    assert not (checkout.folder / RUN / "worker.log").exists()
    assert checkout.snakemake(RECORD)[1] == {"first/numpy"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_snakemake_alone_ends_its_run(checkout, number):
    checkout.write(LONG)
    snakemake = checkout.start(RECORD)
    checkout.wait_for_warmup(RUN)
    kill(checkout, snakemake, number)
    assert [path.name for path in (checkout.folder / RUN).glob("*")] == [".lock"]
    checkout.write(ONE)
    assert checkout.snakemake(RECORD)[1] == {"first/numpy"}


def finish_unnoticed(checkout):
    """Measure the run and kill Snakemake before it takes note of that; gives its record."""
    record = checkout.folder / RECORD
    with lingering(checkout, before=END):
        snakemake = checkout.start(RECORD)
        wait_for(record.exists)
        kill(checkout, snakemake)
    return record, record.read_text()


def test_a_run_that_had_finished_when_snakemake_was_killed_is_kept(checkout):
    record, measured = finish_unnoticed(checkout)
    with lingering(checkout, before=BEGIN):  # killed again, before the run's turn
        snakemake = checkout.start(RECORD)
        wait_for(lambda: checkout.processes(".train.py"))
        kill(checkout, snakemake)
    printed, _ = checkout.snakemake(RECORD)
    assert KEPT in printed
    assert record.read_text() == measured
    assert "Nothing to be done" in checkout.snakemake(RECORD)[0]


OTHER_WISHES = {
    "its record is deleted": lambda checkout: (checkout.folder / RECORD).unlink(),
    "its settings change": lambda checkout: checkout.write({**ONE, "seed": 2}),
}


@pytest.mark.parametrize("wish", OTHER_WISHES.values(), ids=OTHER_WISHES)
def test_it_is_measured_again_where(checkout, wish):
    _, measured = finish_unnoticed(checkout)
    wish(checkout)
    checkout.snakemake(RECORD)
    assert (checkout.folder / RECORD).read_text() != measured


def test_it_is_measured_again_where_the_user_forces_it(checkout):
    record, measured = finish_unnoticed(checkout)
    checkout.snakemake(RECORD, "--force")
    assert record.read_text() != measured
