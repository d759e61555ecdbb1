"""The program on each other node of a run: it locks the machine, launches the worker and samples.

The first node calls a method by a line of JSON on standard input, and gets the result on standard
output. When the input ends, the program ends all processes that it started.
"""

import json
import select
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.machine import host, speed
from trainmark.machine.disturbances import Limits
from trainmark.machine.file_locks import machine_lock
from trainmark.machine.gpu import Gpu, for_device, lacking
from trainmark.machine.gpu.idle_power import idle_watts
from trainmark.machine.speed import Speed
from trainmark.machine.waiting import wait_until_quiet
from trainmark.runs.guard import Guard, Interrupted
from trainmark.runs.launch import launch, worker_environment

PREFIX = "@trainmark "
"""Before each answer: a shell may print lines of its own."""
PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from trainmark.runs.nodes.watcher import main; main()"
)


class NotShared(TrainmarkError):
    """A node that doesn't have the folder of a run."""


class _WatcherGuard(Guard):
    """A guard that also raises when the first node closes the input, or calls during a call."""

    def check(self) -> None:
        super().check()
        if select.select([sys.stdin], [], [], 0)[0]:
            raise Interrupted("the first node has ended this run")


class Watcher:
    """Methods that the first node calls."""

    def __init__(self, guard: Guard, locks: ExitStack) -> None:
        self._guard, self._locks = guard, locks
        self._gpus: list[Gpu] = []

    def host_name(self) -> str:
        """The name that distinguishes this machine from those of other nodes."""
        return socket.gethostname()

    def lock(self, folder: str, device: str) -> str | None:
        """Lock this machine for a run, after waiting; returns the devices that it lacks, or None.

        Raises NotShared.
        """
        if not Path(folder).is_dir():
            raise NotShared(f"it has no {folder}: all nodes need the same folder")
        self._locks.enter_context(machine_lock(Path(folder), self._guard.check, report))
        self._gpus = for_device(device)
        return lacking(device, self._gpus)

    def describe(self) -> dict[str, Any]:
        """The machine and its GPUs, for the record of a run."""
        return {"host": host.facts(), "gpus": [gpu.describe() for gpu in self._gpus]}

    def clock(self) -> float:
        """CLOCK_MONOTONIC of this node."""
        return time.monotonic()

    def wait_until_quiet(self, limits: Mapping[str, float], seconds: float) -> None:
        """Wait, for at most `seconds`, until others use no more CPU than the limit allows."""
        wait_until_quiet(Limits(**limits).other_cpu, seconds, report, self._guard.check)

    def idle_watts(self) -> float | None:
        """Lowest power of this node's GPUs together while they have nothing to do."""
        return idle_watts(self._gpus)

    def speed(self, threads: int) -> Speed | None:
        """The speed of this machine with a number of threads, where it can be measured."""
        return speed.measured(threads)

    def launch(
        self,
        command: list[str],
        threads: int,
        variables: Mapping[str, str],
        log: str,
        timeout_seconds: float,
    ) -> tuple[Any, ...]:
        """Run a process to its end; returns the fields of runs.launch.Exit."""
        environment = worker_environment(Path(command[0]), threads, self._gpus, variables)
        return launch(command, environment, Path(log), timeout_seconds, self._guard, self._gpus)


def main() -> None:
    """Carry out calls until the input ends."""
    with _WatcherGuard() as guard, ExitStack() as locks:
        watcher = Watcher(guard, locks)
        try:
            for name, arguments in _calls():
                _answer({"result": getattr(watcher, name)(**arguments)})
        except Interrupted:
            return
        except TrainmarkError as error:
            _answer({"error": str(error)})


def report(message: str) -> None:
    """Print a message on the first node."""
    _answer({"message": message})


def _calls() -> Iterator[tuple[str, dict[str, Any]]]:
    # Without a buffer: select(2) doesn't see buffered data.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as calls:
        for line in calls:
            name, arguments = json.loads(line)
            yield name, arguments


def _answer(content: Mapping[str, Any]) -> None:
    print(PREFIX + json.dumps(content), flush=True)
