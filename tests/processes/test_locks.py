"""Locks between real processes: waiting, saying for whom, and release by death."""

import errno
import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from trainmark.machine.file_locks import (
    CannotLock,
    FolderInUse,
    claim_folder,
    machine_lock,
    run_lock,
)

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
HOLDER = """
import sys, time
from pathlib import Path
from trainmark.machine.file_locks import claim_folder, machine_lock
claimed = claim_folder(Path(sys.argv[1]))
with machine_lock(Path(sys.argv[1]), lambda: None, print, Path(sys.argv[2])):
    print("held", flush=True)
    time.sleep(float(sys.argv[3]))
"""


def hold(folder: Path, lock: Path, seconds: float) -> subprocess.Popen[str]:
    """Start another process that holds both locks, and wait until it does."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, folder, lock, str(seconds)],
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    return holder


def nothing() -> None:
    pass


def test_the_second_waits_says_once_for_whom_and_goes_on(tmp_path: Path) -> None:
    lock, messages = tmp_path / "machine.lock", list[str]()
    holder = hold(tmp_path / "first", lock, 0.7)
    with holder, machine_lock(tmp_path / "second", nothing, messages.append, lock):
        assert holder.wait() == 0
        note = json.loads(lock.read_text())
    assert len(messages) == 1
    assert f"process {holder.pid}" in messages[0]
    assert str(tmp_path / "first") in messages[0]
    assert (note["pid"], note["folder"]) == (os.getpid(), str(tmp_path / "second"))
    assert lock.stat().st_mode & 0o777 == 0o666


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    lock, messages = tmp_path / "machine.lock", list[str]()
    with hold(tmp_path, lock, 60) as holder:
        holder.kill()
    with machine_lock(tmp_path, nothing, messages.append, lock):
        os.close(claim_folder(tmp_path))
    assert messages == []


def test_waiting_can_be_called_off(tmp_path: Path) -> None:
    def soon() -> Callable[[], None]:
        deadline = time.monotonic() + 0.3

        def check() -> None:
            if time.monotonic() > deadline:
                raise TimeoutError

        return check

    lock = tmp_path / "machine.lock"
    with hold(tmp_path, lock, 60) as holder:
        with pytest.raises(TimeoutError), machine_lock(tmp_path, soon(), print, lock):
            pass
        holder.kill()


def test_a_run_that_another_job_measures_is_waited_for_and_reported_once(tmp_path: Path) -> None:
    messages = list[str]()
    holder = hold(tmp_path, tmp_path / "machine.lock", 0.7)  # which also claims the folder
    with holder, run_lock(tmp_path, nothing, messages.append):
        assert holder.wait() == 0
    (message,) = messages
    assert message.startswith(f"waiting for this run: process {holder.pid} of ")
    assert message.endswith(" is measuring it")


def test_a_file_system_without_locks_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(lock: int, operation: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", flock)  # as on Lustre, mounted without -o flock
    with pytest.raises(CannotLock, match=r"/\.lock can't be locked: Function not implemented; "):
        claim_folder(tmp_path)


def test_two_in_one_results_folder_are_one_too_many(tmp_path: Path) -> None:
    with hold(tmp_path, tmp_path / "machine.lock", 60) as holder:
        with pytest.raises(FolderInUse, match=f"in use by process {holder.pid} "):
            claim_folder(tmp_path)
        holder.kill()
    os.close(claim_folder(tmp_path))
