"""Locks that the kernel releases when their holder ends, however it ends: flock(2)."""

import fcntl
import getpass
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from trainmark.errors import TrainmarkError

# Not below TMPDIR, which may differ from user to user and from job to job.
MACHINE_LOCK = Path("/tmp/trainmark.lock")
# The lock of a folder. It is never removed: those that wait for it would hold a deleted file.
LOCK = ".lock"
POLL_SECONDS = 0.2


class FolderInUse(TrainmarkError):
    """Another Snakemake works in the same results folder."""


class CannotLock(TrainmarkError):
    """A folder on a file system of several hosts that is mounted without locks."""


@contextmanager
def machine_lock(
    folder: Path,
    check: Callable[[], None],
    report: Callable[[str], None],
    path: Path | None = None,
) -> Iterator[None]:
    """Lock the machine for one measured run, after waiting for the present holder of the lock.

    `check` is called while waiting and may raise; `report` is called once if there is a wait.
    """
    waiting = "waiting for the machine: {} is measuring"
    with _held(path or MACHINE_LOCK, folder, check, report, waiting):
        yield


@contextmanager
def run_lock(
    folder: Path, check: Callable[[], None], report: Callable[[str], None]
) -> Iterator[None]:
    """Lock the folder of a run for this job, after waiting for another job that measures the run.

    On a cluster, the other job may be left over from a killed Snakemake. `check` and `report` are
    as in `machine_lock`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    waiting = "waiting for this run: {} is measuring it"
    with _held(folder / LOCK, folder, check, report, waiting):
        yield


@contextmanager
def _held(
    path: Path,
    folder: Path,
    check: Callable[[], None],
    report: Callable[[str], None],
    waiting: str,
) -> Iterator[None]:
    lock = _open(path)
    try:
        if not _take(lock):
            report(waiting.format(_holder(lock)))
            while not _take(lock):
                check()
                time.sleep(POLL_SECONDS)
        _sign(lock, folder)
        yield
    finally:
        os.close(lock)


def claim_folder(folder: Path) -> int:
    """Lock a results folder for this process until it ends; returns the lock's file descriptor.

    Raises FolderInUse, which names the process that has the lock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = _open(folder / LOCK)
    if not _take(lock):
        holder = _holder(lock)
        os.close(lock)
        raise FolderInUse(f"{folder} is in use by {holder}; wait for it or stop it")
    _sign(lock, folder)
    return lock


def _open(path: Path) -> int:
    """Open or make a lock file that any user may take.

    First without O_CREAT: Linux refuses that flag for another user's file in a sticky,
    world-writable folder (fs.protected_regular).
    """
    while True:
        try:
            return os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        except FileNotFoundError:
            pass
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:  # another process was quicker
            continue
        os.fchmod(lock, 0o666)  # whatever the umask
        return lock


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        path = Path(f"/proc/self/fd/{lock}").readlink()
        raise CannotLock(
            f"{path} can't be locked: {error.strerror}; see docs/guides/cluster.md"
        ) from None
    return True


def _sign(lock: int, folder: Path) -> None:
    note = {
        "pid": os.getpid(),
        "user": _user(),
        "host": socket.gethostname(),
        "folder": str(folder.absolute()),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    with suppress(OSError):  # the note only informs: a full disk must not end a run
        os.ftruncate(lock, 0)
        os.pwrite(lock, json.dumps(note).encode(), 0)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user need not have a name
        return str(os.getuid())


def _holder(lock: int) -> str:
    try:
        note = json.loads(os.pread(lock, 4096, 0))
        return "process {pid} of {user} on {host} in {folder} (since {since})".format(**note)
    except (ValueError, KeyError, TypeError):  # the holder has not written its note yet
        return "another process"
