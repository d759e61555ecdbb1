"""The attacking process, as the framework's process starts it and answers it."""

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Callable, Dict, Iterator, Optional, Sequence, Tuple, Type

import numpy

from worker.adversary import pipe
from worker.job import Job

SCRIPT = Path(__file__).with_name("attacker.py")
LOADER = "LD_"  # of its variables, with which a framework's libraries are found

Answers = Dict[str, Callable[..., numpy.ndarray]]
"""What answers each kind of question."""


class AttackerEnded(Exception):
    """The attacking process ended before it had found what it was asked for."""


class Attacker:
    """The process, for as long as a `with` statement lasts."""

    def __init__(self, job: Job, answers: Answers) -> None:
        """Start it, and wait until it has imported the Toolbox; raises AttackerEnded."""
        self.answers = answers
        command = [str(job.attacker), "-I", str(SCRIPT), json.dumps(job._asdict())]
        own = {name: value for name, value in os.environ.items() if not name.startswith(LOADER)}
        pipes = subprocess.PIPE
        self.process = subprocess.Popen(command, env=own, stdin=pipes, stdout=pipes)
        assert self.process.stdin and self.process.stdout, "both are pipes"
        self.input, self.output = self.process.stdin, self.process.stdout
        self._told()

    def attack(
        self, name: str, epsilons: Sequence[float], images: numpy.ndarray
    ) -> Iterator[Tuple[float, numpy.ndarray]]:
        """Yield what it makes of images (n, C, H, W) of pixels from 0 to 1, behind each epsilon.

        Once, behind NaN, where the attack takes none. Raises AttackerEnded, after the process
        itself has told why.
        """
        self._tell(name, numpy.array(epsilons, numpy.float64), images)
        kind, arrays = self._told()
        while kind != "done":
            if kind == "found":
                yield float(arrays[0]), arrays[1]
            else:
                self._tell("answer", self.answers[kind](*arrays))
            kind, arrays = self._told()

    def _told(self) -> pipe.Message:
        message = pipe.receive(self.output)
        if message is None:
            raise AttackerEnded(f"the attacking process ended with status {self.process.wait()}")
        return message

    def _tell(self, kind: str, *arrays: numpy.ndarray) -> None:
        with suppress(BrokenPipeError):  # then it tells no more, either
            pipe.send(self.input, kind, *arrays)

    def __enter__(self) -> "Attacker":
        """It has been started."""
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """End it, by the end of its input."""
        with suppress(BrokenPipeError):  # of one that has ended
            self.input.close()
        self.process.wait()
        self.output.close()
