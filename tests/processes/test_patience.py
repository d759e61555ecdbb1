"""A quiet machine is waited for, and a run that was disturbed is repeated: beside a real burner."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from little_worker import Run
from machine_settings import LIMITS

from trainmark.machine.waiting import wait_until_quiet
from trainmark.runs.measure import Patience

# What the hypervisor or the disk does in these seconds is not what is tested.
ONLY_OTHERS = LIMITS._replace(other_cpu=0.5, steal=1000.0, swapped_mebibytes=1e6)


@contextmanager
def burning_a_core() -> Iterator[subprocess.Popen[bytes]]:
    """Another process, none of the run's, that keeps a core busy."""
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    try:
        yield other
    finally:
        other.kill()
        other.wait()


WINDOW_OF_HALF_A_SECOND = """
start = time.monotonic()
time.sleep(0.5)
emit("window_start", time_seconds=start)
emit("window_end", steps=1, images=64, wait_seconds=0, step_end_seconds=[], losses=[])
emit("end")
"""


def test_a_run_that_is_never_quiet_is_repeated_and_marked(run: Run) -> None:
    with burning_a_core():
        record = run(WINDOW_OF_HALF_A_SECOND, LIMITS, Patience(attempts=2, wait_seconds=0))
    assert (record["status"], record["disturbed"], record["attempts"]) == ("ok", True, 2)
    assert record["load"]["other_cpu"] > 0.5
    assert "cores used by others" in record["disturbances"][0]


def test_a_run_disturbed_once_is_repeated_and_its_quiet_attempt_kept(run: Run) -> None:
    with burning_a_core() as other:
        record = run(
            WINDOW_OF_HALF_A_SECOND,
            ONLY_OTHERS,
            Patience(attempts=3, wait_seconds=0),
            say=lambda line: other.kill(),  # of the first attempt, that it was disturbed
        )
    assert (record["status"], record["disturbed"], record["attempts"]) == ("ok", False, 2)
    assert record["load"]["other_cpu"] < 0.5


def test_a_quiet_machine_is_waited_for(run: Run) -> None:
    messages: list[str] = []
    with burning_a_core() as other:

        def say(line: str) -> None:
            messages.append(line)
            other.kill()

        record = run(
            WINDOW_OF_HALF_A_SECOND,
            ONLY_OTHERS,
            Patience(attempts=1, wait_seconds=30),
            say=say,
        )
    (message,) = messages
    assert re.fullmatch(r"waiting for a quiet machine: others use \d\.\d\d cores", message)
    assert not record["disturbed"], record["disturbances"]


def test_waiting_has_an_end() -> None:
    messages: list[str] = []
    with burning_a_core():
        wait_until_quiet(0.5, 1.0, messages.append, lambda: None)
    assert re.fullmatch(
        r"no quiet machine after \d+ s: others use \d\.\d\d cores; going on", messages[-1]
    )
