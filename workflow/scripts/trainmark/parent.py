"""Ending with the process that started this one, however that ends: prctl(2), PR_SET_PDEATHSIG.

usage: python -IS parent.py PARENT COMMAND …

As a program it becomes the command, which gets SIGTERM when PARENT has ended; on a full disk it
ends instead. Snakemake starts every job this way (common.smk), and a job what it waits for. So a
Snakemake that is killed leaves no process behind that would disturb the next measurement. Needs the
standard library alone.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
LEAST_FREE_BYTES = 2**26
"""With less, Python's bytecode may be cut off, which then fails at each import."""

_libc = ctypes.CDLL(None, use_errno=True)


def attached(*command: str | Path) -> list[str]:
    """A command that runs this one and ends it when this process ends."""
    return [sys.executable, "-IS", __file__, str(os.getpid()), *map(str, command)]


def end_with(parent: int, number: int) -> None:
    """Have the kernel send this process a signal when its parent ends; end now if it has ended.

    To the kernel the parent is the thread that started this process: it has to live as long.
    """
    _libc.prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)


def full_disk() -> str | None:
    """What to do about a disk that is too full for the files of a job; None where none is."""
    for folder in filter(Path.exists, (Path(), Path("results"), Path(__file__).parent)):
        disk = os.statvfs(folder)
        free_bytes = disk.f_bavail * disk.f_frsize
        if free_bytes < LEAST_FREE_BYTES and os.access(folder, os.W_OK):
            return (
                f"the disk of {folder.resolve()} has {free_bytes / 1e6:.0f} MB free, and a "
                f"job needs {LEAST_FREE_BYTES / 1e6:.0f}: free some space"
            )
    return None


if __name__ == "__main__":
    end_with(int(sys.argv[1]), signal.SIGTERM)
    if message := full_disk():
        sys.exit(f"trainmark: {message}")
    os.execvp(sys.argv[2], sys.argv[2:])
