"""Ending with the process that started this one, however that ends: prctl(2), PR_SET_PDEATHSIG.

usage: python -IS parent.py PARENT COMMAND …

As a program it becomes the command, which gets SIGTERM when PARENT has ended. Snakemake starts
every job this way (common.smk), and a job what it waits for. So a Snakemake that is killed leaves
no process behind that would disturb the next measurement. Needs the standard library alone.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1

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


if __name__ == "__main__":
    end_with(int(sys.argv[1]), signal.SIGTERM)
    os.execvp(sys.argv[2], sys.argv[2:])
