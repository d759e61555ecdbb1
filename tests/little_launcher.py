"""A launcher that is a process: it measures one run, whatever else the machine does.

usage: python little_launcher.py ARGUMENTS

ARGUMENTS are those of `main`, as a JSON object. PYTHONPATH has to name workflow/scripts.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from machine_settings import ONCE, UNLIMITED

from trainmark.errors import one_line_errors
from trainmark.machine import file_locks
from trainmark.runs.guard import Guard
from trainmark.runs.job import Task
from trainmark.runs.measure import RUNNER, measure
from trainmark.runs.nodes.hosts import other_hosts


def command(**arguments: Any) -> list[str]:
    """The command that calls `main` with these arguments."""
    return [sys.executable, __file__, json.dumps(arguments, default=str)]


def main(
    job: dict[str, Any],
    lock: dict[str, Any],
    code: str,
    folder: str,
    runner: str | Path = RUNNER,
    machine_lock: str | Path = file_locks.MACHINE_LOCK,
    nodes: Sequence[str] = (),
) -> None:
    """Measure a job as rule train does; `nodes` are the hosts of its other nodes."""
    file_locks.MACHINE_LOCK = Path(machine_lock)
    with one_line_errors(), Guard() as guard:
        hosts = other_hosts(job["device"], {"nodes": nodes})
        task = Task(job, lock, code, Path(folder))
        measure(task, UNLIMITED, ONCE, guard, print, Path(runner), hosts)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
