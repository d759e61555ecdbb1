"""Locks between real processes: waiting, saying for whom, and release by death."""

import errno
import fcntl
import json
import os
import subprocess
import sys
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
import sys
from pathlib import Path
from trainmark.machine.file_locks import claim_folder, machine_lock
claimed = claim_folder(Path(sys.argv[1]))
with machine_lock(Path(sys.argv[1]), lambda: None, print, Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(folder: Path, lock: Path) -> subprocess.Popen[str]:
    """Start another process that holds both locks until its input ends; wait until it does."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, folder, lock],
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    return holder


def ending(holder: subprocess.Popen[str], messages: list[str]) -> Callable[[str], None]:
    """A report that keeps its message and ends the holder's input."""

    def report(message: str) -> None:
        messages.append(message)
        assert holder.stdin
        holder.stdin.close()

    return report


def nothing() -> None:
    pass


def test_the_second_waits_says_once_for_whom_and_goes_on(tmp_path: Path) -> None:
    lock, messages = tmp_path / "machine.lock", list[str]()
    holder = hold(tmp_path / "first", lock)
    with holder, machine_lock(tmp_path / "second", nothing, ending(holder, messages), lock):
        (message,) = messages
        assert holder.wait() == 0
        note = json.loads(lock.read_text())
    assert f"process {holder.pid}" in message
    assert str(tmp_path / "first") in message
    assert (note["pid"], note["folder"]) == (os.getpid(), str(tmp_path / "second"))
    assert lock.stat().st_mode & 0o777 == 0o666


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    lock, messages = tmp_path / "machine.lock", list[str]()
    with hold(tmp_path, lock) as holder:
        holder.kill()
    with machine_lock(tmp_path, nothing, messages.append, lock):
        os.close(claim_folder(tmp_path))
    assert messages == []


def test_waiting_can_be_called_off(tmp_path: Path) -> None:
    goes_on = [True, False]

    def check() -> None:
        if not goes_on.pop(0):
            raise TimeoutError

    lock = tmp_path / "machine.lock"
    holder = hold(tmp_path, lock)
    with holder, pytest.raises(TimeoutError), machine_lock(tmp_path, check, print, lock):
        pass


def test_a_run_that_another_job_measures_is_waited_for_and_reported_once(tmp_path: Path) -> None:
    messages = list[str]()
    holder = hold(tmp_path, tmp_path / "machine.lock")  # which also claims the folder
    with holder, run_lock(tmp_path, nothing, ending(holder, messages)):
        (message,) = messages
        assert holder.wait() == 0
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
    holder = hold(tmp_path, tmp_path / "machine.lock")
    with holder, pytest.raises(FolderInUse, match=f"in use by process {holder.pid} "):
        claim_folder(tmp_path)
    os.close(claim_folder(tmp_path))
