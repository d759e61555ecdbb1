"""Programs that a rank's process starts; the kernel ends them when that process ends."""

import ctypes
import signal
import subprocess
from typing import Any, Sequence

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)


def start(command: Sequence[str], **settings: Any) -> "subprocess.Popen[bytes]":
    """Start a program without input; `settings` are arguments of subprocess.Popen."""
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent, **settings
    )


def _end_with_parent() -> None:
    """Have the kernel end this process when its parent ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
