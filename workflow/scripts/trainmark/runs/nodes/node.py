"""Another node of a run, seen from the first one, which starts a watcher there and calls it."""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from trainmark.machine.gpu import GpuSample
from trainmark.machine.processes import signal_name
from trainmark.machine.telemetry import Sample
from trainmark.parent import attached
from trainmark.runs.guard import Guard
from trainmark.runs.launch import Exit
from trainmark.runs.nodes.hosts import Host
from trainmark.runs.nodes.sums import Clocks
from trainmark.runs.nodes.watcher import PREFIX, PROGRAM
from trainmark.runs.unmeasured import NotMeasured
from trainmark.study import plugins

READINGS = 5  # of the other node's clock; the one with the quickest answer counts
LOOK_SECONDS = 0.1
CLOSING_SECONDS = 10.0  # for a watcher to end all processes that it started
PART_BYTES = 65536


class NodeFailed(NotMeasured):
    """A node that can't be reached or can't take part; the message is one line."""


class Node:
    """A node beside the first. All methods raise NodeFailed, and Interrupted where the guard does.

    `number` is 2 for the first of the others; `report` prints a message.
    """

    def __init__(
        self, number: int, host: Host, guard: Guard, report: Callable[[str], None]
    ) -> None:
        self.address = host.address
        self.name = f"node {number} ({host.name})"
        self._guard, self._report = guard, report
        self._read = b""
        command = host.command([sys.executable, "-I", "-c", PROGRAM, str(plugins.SCRIPTS)])
        if not shutil.which(command[0]):
            raise NodeFailed(f"{self.name}: no {command[0]} on PATH")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (of the process, as long as it)
        self._process = subprocess.Popen(
            attached(*command),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C is the guard's
        )

    def call(self, method: str, **arguments: Any) -> Any:
        """Call a method of the watcher; returns its result."""
        self.begin(method, **arguments)
        return self.result()

    def begin(self, method: str, **arguments: Any) -> None:
        """Call a method of the watcher without waiting; `result` then returns its result."""
        assert self._process.stdin is not None  # a pipe, as requested
        try:
            self._process.stdin.write(json.dumps([method, arguments]).encode() + b"\n")
        except BrokenPipeError:
            raise self._lost() from None

    def result(self, longest_seconds: float = float("inf")) -> Any:
        """The result of the method that was called last."""
        deadline = time.monotonic() + longest_seconds
        while True:
            answer = json.loads(self._line(deadline))
            if "result" in answer:
                return answer["result"]
            if "error" in answer:
                raise NodeFailed(f"{self.name}: {answer['error']}")
            self._report(f"{self.name}: {answer['message']}")

    def read_clocks(self) -> Clocks:
        """Read this node's clock and the other node's at the same moment."""
        readings = []
        for _ in range(READINGS):
            start = time.monotonic()
            other_clock = float(self.call("clock"))
            end = time.monotonic()
            readings.append((end - start, Clocks((start + end) / 2, other_clock)))
        return min(readings)[1]

    def ended(self, longest_seconds: float) -> Exit:
        """How the process that was launched on the node ended."""
        worker_exit = Exit(*self.result(longest_seconds))
        return worker_exit._replace(samples=[_sample(*each) for each in worker_exit.samples])

    def close(self) -> None:
        """End the watcher, and all processes that it started."""
        assert self._process.stdin is not None  # as above
        self._process.stdin.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _line(self, deadline: float) -> bytes:
        """The next line of the watcher, without its prefix; other printed lines are skipped."""
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
        """The error of a watcher that has ended: by a signal, or with a last line of its errors."""
        status = self._process.wait()
        reason = f"ended by {signal_name(-status)}" if status < 0 else self._last_line()
        return NodeFailed(f"{self.name} is lost: {reason}")

    def _last_line(self) -> str:
        """The last line of the watcher's standard error."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "no reason given")


def _sample(*values: Any) -> Sample:
    """A sample from the nested lists that represent it in JSON."""
    sample = Sample(*values)
    return sample._replace(gpus=tuple(GpuSample(*gpu) for gpu in sample.gpus))
