"""Noticing that a run is cancelled: Ctrl-C, or SIGTERM.

SIGTERM comes from Snakemake when that gets a signal to end, and from the kernel when it is killed
(see `parent`).
"""

import signal
import time
from types import FrameType, TracebackType
from typing import Any, Self

from trainmark.errors import TrainmarkError

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

    def __enter__(self) -> Self:
        """Take over the signals."""
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                self._previous[number] = signal.signal(number, self._note)
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
        """Raise Interrupted if a signal came in."""
        if self._received is not None:
            raise Interrupted(f"run ended by {signal.Signals(self._received).name}")

    def wait(self, seconds: float) -> None:
        """Raise Interrupted if a signal comes in within some seconds."""
        time.sleep(seconds)
        self.check()

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._received = number
