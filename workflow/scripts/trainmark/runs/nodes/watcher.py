"""The program on each other node of a run: it holds that machine, and starts and watches there.

It takes orders from the first node, a line of JSON each on standard input, and answers on standard
output. When the input ends, it ends all that it started.
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
from trainmark.machine.disturbances import Limits
from trainmark.machine.file_locks import machine_lock
from trainmark.machine.gpu import Gpu, for_device, lacking
from trainmark.machine.idle_power import idle_watts
from trainmark.machine.waiting import wait_until_quiet
from trainmark.runs import provenance
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
    """Also the end of the orders is a signal to end; while one is carried out, none comes."""

    def check(self) -> None:
        super().check()
        if select.select([sys.stdin], [], [], 0)[0]:
            raise Interrupted("the first node has ended this run")


class Watcher:
    """What the first node can ask of this one, by the names of the methods."""

    def __init__(self, guard: Guard, held: ExitStack) -> None:
        self._guard, self._held = guard, held
        self._gpus: list[Gpu] = []

    def host_name(self) -> str:
        """By which the others know this machine from theirs."""
        return socket.gethostname()

    def hold(self, folder: str, device: str) -> str | None:
        """Take this machine for a run, after whoever has it; what it lacks.

        Raises NotShared.
        """
        if not Path(folder).is_dir():
            raise NotShared(f"it has no {folder}: all nodes need the same folder")
        self._held.enter_context(machine_lock(Path(folder), self._guard.check, say))
        self._gpus = for_device(device)
        return lacking(device, self._gpus)

    def describe(self) -> dict[str, Any]:
        """What goes into the record of a run: the machine and its GPUs."""
        return {"host": provenance.host(), "gpus": [gpu.describe() for gpu in self._gpus]}

    def clock(self) -> float:
        """CLOCK_MONOTONIC of this node."""
        return time.monotonic()

    def wait_until_quiet(self, limits: Mapping[str, float], seconds: float) -> None:
        """Wait at most so long until others use no more than the limits say."""
        wait_until_quiet(Limits(**limits).other_cpu, seconds, say, self._guard.check)

    def idle_watts(self) -> float | None:
        """Mean power of this node's GPUs while they have nothing to do."""
        return idle_watts(self._gpus)

    def launch(
        self,
        command: list[str],
        threads: int,
        variables: Mapping[str, str],
        log: str,
        timeout_seconds: float,
    ) -> tuple[Any, ...]:
        """Run a process to its end; how it ended, as runs.launch.Exit has it."""
        environment = worker_environment(Path(command[0]), threads, self._gpus, variables)
        return launch(command, environment, Path(log), timeout_seconds, self._guard, self._gpus)


def main() -> None:
    """Carry out orders until they end."""
    with _WatcherGuard() as guard, ExitStack() as held:
        watcher = Watcher(guard, held)
        try:
            for name, arguments in _orders():
                _answer({"result": getattr(watcher, name)(**arguments)})
        except Interrupted:
            return
        except TrainmarkError as error:
            _answer({"error": str(error)})


def say(line: str) -> None:
    """Have the first node tell a line."""
    _answer({"say": line})


def _orders() -> Iterator[tuple[str, dict[str, Any]]]:
    # Without a buffer: what that has taken, select(2) wouldn't see.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as orders:
        for line in orders:
            name, arguments = json.loads(line)
            yield name, arguments


def _answer(content: Mapping[str, Any]) -> None:
    print(PREFIX + json.dumps(content), flush=True)
