"""Speed of a machine's processors and memory, measured before a run in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from trainmark.machine.thread_variables import THREAD_VARIABLES
from trainmark.parent import attached

PROGRAM = Path(__file__).with_name("speed_program.py")
LONGEST_SECONDS = 10.0
INHERITED = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
"""Variables of the user's shell that the program gets; others could change its speed."""


class Speed(NamedTuple):
    """Speed of one machine, or of several together."""

    gflops: float  # of products of float32 matrices, two operations for each multiply-add
    gigabytes_per_second: float  # of copies in memory, read and written


def measured(threads: int) -> Speed | None:
    """The speed of this machine with a number of threads; takes half a second.

    None where it can't be measured, as in a cgroup without enough memory for it.
    """
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    environment = {**inherited, **dict.fromkeys(THREAD_VARIABLES, str(threads))}
    command = attached(sys.executable, "-I", PROGRAM, str(threads))
    try:
        completed = subprocess.run(
            command, env=environment, capture_output=True, timeout=LONGEST_SECONDS
        )
    except (subprocess.TimeoutExpired, OSError):
        return None
    return Speed(*json.loads(completed.stdout)) if completed.returncode == 0 else None


def of_all(nodes: Sequence[Speed | None]) -> Speed | None:
    """The sum of all nodes' speeds; None where one isn't known."""
    known = [speed for speed in nodes if speed is not None]
    return Speed(*map(sum, zip(*known, strict=True))) if len(known) == len(nodes) else None
