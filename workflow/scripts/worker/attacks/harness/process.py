"""The Toolbox's process: the framework's process starts it and answers its requests."""

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Callable, Dict, Iterator, Optional, Sequence, Tuple, Type

import numpy

from worker.attacks.harness import pipe
from worker.job import Job

SCRIPT = Path(__file__).with_name("attacker.py")
LOADER = "LD_"  # the beginning of the dynamic linker's variables, set for the framework alone

Answers = Dict[str, Callable[..., numpy.ndarray]]
"""The function that answers each kind of request."""


class AttackerEnded(Exception):
    """The attacking process ended before its attack was over."""


class Attacker:
    """The Toolbox's process; a `with` statement ends it."""

    def __init__(self, job: Job, answers: Answers) -> None:
        """Start the process, and wait until it has imported the Toolbox; raises AttackerEnded."""
        self.answers = answers
        command = [str(job.attacker), "-I", str(SCRIPT), json.dumps(job._asdict())]
        variables = {n: value for n, value in os.environ.items() if not n.startswith(LOADER)}
        pipes = subprocess.PIPE
        self.process = subprocess.Popen(command, env=variables, stdin=pipes, stdout=pipes)
        assert self.process.stdin and self.process.stdout, "both are pipes"
        self.input, self.output = self.process.stdin, self.process.stdout
        self._receive()

    def attack(
        self, name: str, epsilons: Sequence[float], images: numpy.ndarray
    ) -> Iterator[Tuple[float, numpy.ndarray]]:
        """Yield each epsilon and its adversarial images.

        An attack without epsilon yields once, with NaN. Images are float32 (n, C, H, W), with
        pixels from 0 to 1. Raises AttackerEnded, after the process has printed the reason.
        """
        self._send(name, numpy.array(epsilons, numpy.float64), images)
        kind, arrays = self._receive()
        while kind != "done":
            if kind == "found":
                yield float(arrays[0]), arrays[1]
            else:
                self._send("answer", self.answers[kind](*arrays))
            kind, arrays = self._receive()

    def _receive(self) -> pipe.Message:
        message = pipe.receive(self.output)
        if message is None:
            raise AttackerEnded(f"the attacking process ended with status {self.process.wait()}")
        return message

    def _send(self, kind: str, *arrays: numpy.ndarray) -> None:
        with suppress(BrokenPipeError):  # _receive() then raises AttackerEnded
            pipe.send(self.input, kind, *arrays)

    def __enter__(self) -> "Attacker":
        """Return the attacker, whose process __init__() has started."""
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """End the process, by closing its input."""
        with suppress(BrokenPipeError):  # the process may have ended already
            self.input.close()
        self.process.wait()
        self.output.close()
