"""Ending the jobs of a Snakemake that is told to end: by itself it would wait for them."""

import os
import signal
import threading
import time
from types import FrameType

from trainmark.machine.processes import children, send

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SECONDS_BETWEEN = 0.3


def end_jobs_when_told() -> None:
    """From now on SIGINT and SIGTERM end this Snakemake and its jobs, not Snakemake alone."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as in the background of a script
            signal.signal(number, _end)


def _end(_number: int, _frame: FrameType | None) -> None:
    """Take the way of Ctrl-C, on which Snakemake starts nothing more and waits for what runs."""
    threading.Thread(target=_end_jobs, daemon=True).start()
    raise KeyboardInterrupt


def _end_jobs() -> None:
    """Tell the jobs to end, again and again, as one may be about to start.

    Ctrl-C in a terminal tells them as well, so they first get the time to end by that.
    """
    while True:
        time.sleep(SECONDS_BETWEEN)
        for job in children(os.getpid()):
            send(job, signal.SIGTERM)
