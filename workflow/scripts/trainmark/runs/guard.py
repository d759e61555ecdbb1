"""Noticing that a run is cancelled: Ctrl-C, SIGTERM, or the end of Snakemake.

When Snakemake is killed (kill -9), its jobs become orphans. They would continue to measure, and
disturb the next run.
"""

import signal
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from trainmark.errors import TrainmarkError
from trainmark.machine.processes import Process, ancestors

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(TrainmarkError):
    """The run was cancelled; nothing of it is kept."""


class Guard:
    """A context in which `check` raises Interrupted once the run is no longer wanted.

    Signals only leave a note, so that they never strike between starting a worker and knowing it.
    """

    def __init__(self) -> None:
        self._received: int | None = None
        self._previous: dict[int, Any] = {}
        self._snakemakes: list[Process] = []

    def __enter__(self) -> Self:
        """Take over the signals and remember which Snakemake is to be alive."""
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                self._previous[number] = signal.signal(number, self._note)
        self._snakemakes = [process for process in ancestors() if is_snakemake(process.pid)]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the signals back."""
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def check(self) -> None:
        """Raise Interrupted if a signal came in or a Snakemake above has died."""
        if self._received is not None:
            raise Interrupted(f"run ended by {signal.Signals(self._received).name}")
        if not all(process.alive() for process in self._snakemakes):
            raise Interrupted("run ended because its Snakemake is gone")

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._received = number


def is_snakemake(pid: int) -> bool:
    """Whether a process is Python running snakemake (a script, or with -m)."""
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return False
    names = [Path(argument).name for argument in arguments]
    return names[0] == "snakemake" or (names[0].startswith("python") and "snakemake" in names[1:])
