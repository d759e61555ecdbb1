"""What is left of a run whose launcher is told to end, dies, or loses its Snakemake."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import little_launcher
import pytest
from interrupts import can_be_interrupted
from little_worker import CODE, JOB, LOCK, PRELUDE, alive
from waiting import LONG_SECONDS, PATIENCE_SECONDS, wait_for

from trainmark.parent import attached
from trainmark.study.plugins import SCRIPTS

SNAKEMAKE = """
import subprocess, sys
from trainmark.parent import attached
subprocess.run(attached(*sys.argv[1:]))
"""
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start_launcher(tmp_path: Path) -> Iterator[Start]:
    """Start a run that hangs, in a launcher behind a wrapping command; no test leaves one."""
    started = []

    def start(*wrapper: str) -> subprocess.Popen[bytes]:
        runner = tmp_path / "worker.py"
        endless = f"time.sleep({LONG_SECONDS})"
        runner.write_text(PRELUDE + f"open('pid', 'w').write(str(os.getpid()))\n{endless}")
        paths = {"folder": tmp_path / "run", "machine_lock": tmp_path / "lock"}
        command = little_launcher.command(job=JOB, lock=LOCK, code=CODE, runner=runner, **paths)
        launcher = subprocess.Popen(
            [*wrapper, *command],
            env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
            start_new_session=True,
            stderr=subprocess.PIPE,
            preexec_fn=can_be_interrupted,
        )
        started.append(launcher)
        return launcher

    yield start
    for launcher in started:
        with launcher:
            launcher.kill()


def worker_pid(tmp_path: Path) -> int:
    path = tmp_path / "run" / "pid"
    return int(wait_for(lambda: path.exists() and path.read_text()))


def left_behind(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "run").iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_launcher_ends_the_run_and_leaves_nothing(
    start_launcher: Start, tmp_path: Path, number: signal.Signals
) -> None:
    launcher = start_launcher()
    worker = worker_pid(tmp_path)
    launcher.send_signal(number)
    _, errors = launcher.communicate(timeout=PATIENCE_SECONDS)
    assert launcher.returncode == 1
    assert errors.decode() == f"trainmark: run ended by {number.name}\n"
    assert not alive(worker)
    assert left_behind(tmp_path) == ["pid"]


def test_a_signal_that_ends_the_worker_first_calls_the_run_off_too(
    start_launcher: Start, tmp_path: Path
) -> None:
    launcher = start_launcher()
    worker = worker_pid(tmp_path)
    os.kill(worker, signal.SIGTERM)
    wait_for(lambda: not alive(worker))
    launcher.send_signal(signal.SIGTERM)
    launcher.communicate(timeout=PATIENCE_SECONDS)
    assert launcher.returncode == 1
    assert left_behind(tmp_path) == ["pid"]


def test_a_signal_to_the_worker_alone_is_its_failure(start_launcher: Start, tmp_path: Path) -> None:
    launcher = start_launcher()
    os.kill(worker_pid(tmp_path), signal.SIGTERM)
    launcher.communicate(timeout=PATIENCE_SECONDS)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (record["status"], record["signal"]) == ("failed", "SIGTERM")


def test_the_worker_dies_with_a_killed_launcher(start_launcher: Start, tmp_path: Path) -> None:
    launcher = start_launcher()
    worker = worker_pid(tmp_path)
    launcher.kill()
    launcher.communicate(timeout=PATIENCE_SECONDS)
    wait_for(lambda: not alive(worker))
    assert not (tmp_path / "run" / "run.json").exists()


def test_a_killed_snakemake_takes_its_run_with_it(start_launcher: Start, tmp_path: Path) -> None:
    parent = start_launcher(sys.executable, "-c", SNAKEMAKE)
    worker = worker_pid(tmp_path)
    parent.kill()
    parent.wait()
    wait_for(lambda: not alive(worker))
    wait_for(lambda: left_behind(tmp_path) == ["pid"])


def test_a_command_whose_parent_has_died_meanwhile_is_never_begun(tmp_path: Path) -> None:
    program, parent = attached("touch", tmp_path / "begun"), str(os.getpid())
    subprocess.run([word if word != parent else str(os.getppid()) for word in program], check=False)
    assert not (tmp_path / "begun").exists()
    subprocess.run(program, check=True)
    assert (tmp_path / "begun").exists()
