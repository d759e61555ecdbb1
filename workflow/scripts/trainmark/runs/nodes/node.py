"""The first node's end of another one: it starts a watcher there, and asks it."""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trainmark.machine.gpu import GpuSample
from trainmark.machine.telemetry import Sample
from trainmark.parent import attached
from trainmark.runs.guard import Guard
from trainmark.runs.launch import Exit
from trainmark.runs.nodes.places import Place
from trainmark.runs.nodes.sums import Clocks
from trainmark.runs.nodes.watcher import PREFIX, PROGRAM
from trainmark.runs.status.not_measured import NotMeasured

SCRIPTS = Path(__file__).resolve().parents[3]
READINGS = 5  # of which the quickest answer tells the other clock best
LOOK_SECONDS = 0.1
CLOSING_SECONDS = 10.0  # for a watcher to end all that it started
PART_BYTES = 65536


class NodeFailed(NotMeasured):
    """A node that can't be reached or can't take part, in a line."""


class Node:
    """A node beside the first. All methods raise NodeFailed, and Interrupted where the guard does.

    `number` is 2 for the first of the others; `say` tells a line.
    """

    def __init__(self, number: int, place: Place, guard: Guard, say: Callable[[str], None]) -> None:
        self.address = place.address
        self.name = f"node {number} ({place.host})"
        self._guard, self._say = guard, say
        self._read = b""
        command = place.command([sys.executable, "-I", "-c", PROGRAM, str(SCRIPTS)])
        if not shutil.which(command[0]):
            raise NodeFailed(f"{self.name}: no {command[0]} on PATH")
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (of the process, as long as it)
        self._process = subprocess.Popen(
            attached(*command),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            start_new_session=True,  # Ctrl-C is the guard's
        )

    def ask(self, order: str, **arguments: Any) -> Any:
        """Have a method of the watcher called; what it returns."""
        self.tell(order, **arguments)
        return self.answer()

    def tell(self, order: str, **arguments: Any) -> None:
        """The same without waiting: its answer is the next one."""
        assert self._process.stdin is not None  # a pipe, as asked for
        try:
            self._process.stdin.write(json.dumps([order, arguments]).encode() + b"\n")
        except BrokenPipeError:
            raise self._lost() from None

    def answer(self, longest_seconds: float = float("inf")) -> Any:
        """What the order that was told returned."""
        deadline = time.monotonic() + longest_seconds
        while True:
            said = json.loads(self._line(deadline))
            if "result" in said:
                return said["result"]
            if "error" in said:
                raise NodeFailed(f"{self.name}: {said['error']}")
            self._say(f"{self.name}: {said['say']}")

    def read_clocks(self) -> Clocks:
        """Read its clock and this one's."""
        found = []
        for _ in range(READINGS):
            asked = time.monotonic()
            there = float(self.ask("clock"))
            answered = time.monotonic()
            found.append((answered - asked, Clocks((asked + answered) / 2, there)))
        return min(found)[1]

    def ended(self, longest_seconds: float) -> Exit:
        """How the process ended that it was told to launch."""
        how = Exit(*self.answer(longest_seconds))
        return how._replace(samples=[_sample(*each) for each in how.samples])

    def close(self) -> None:
        """Have the watcher end, and all that it started."""
        assert self._process.stdin is not None  # as above
        self._process.stdin.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()

    def _line(self, deadline: float) -> bytes:
        """The next line that the watcher meant for this node."""
        assert self._process.stdout is not None  # as above
        while True:
            line, end, rest = self._read.partition(b"\n")
            if end:
                self._read = rest
                if line.startswith(PREFIX.encode()):
                    return line[len(PREFIX) :]
                continue
            if select.select([self._process.stdout], [], [], LOOK_SECONDS)[0]:
                more = os.read(self._process.stdout.fileno(), PART_BYTES)
                if not more:
                    raise self._lost()
                self._read += more
            elif time.monotonic() > deadline:
                raise NodeFailed(f"{self.name} doesn't answer any more")
            self._guard.check()

    def _lost(self) -> NodeFailed:
        """What is said of a watcher that ended by itself: the last line of what it complained."""
        self._process.wait()
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "no reason told")
        return NodeFailed(f"{self.name} is lost: {said}")


def _sample(*values: Any) -> Sample:
    """A sample of which JSON has made lists."""
    found = Sample(*values)
    return found._replace(gpus=tuple(GpuSample(*gpu) for gpu in found.gpus))
