"""Ending the jobs of a Snakemake that gets a signal to end: by itself it would wait for them."""

import os
import signal
import sys
import threading
import time
from types import FrameType, TracebackType

from trainmark.machine.processes import children, send
from trainmark.terminal import print_message

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SECONDS_BETWEEN = 0.3
CANCEL_SECONDS = 10.0  # for the program by which Snakemake has a batch system cancel jobs


def end_jobs_on_signal(has_batch_system: bool) -> None:
    """From now on SIGINT and SIGTERM end this Snakemake and its jobs, not Snakemake alone."""

    def end(_number: int, _frame: FrameType | None) -> None:
        """Take the way of Ctrl-C, on which Snakemake starts nothing more and waits for what runs.

        Jobs of a batch system are cancelled on that way.
        """
        first = CANCEL_SECONDS if has_batch_system else SECONDS_BETWEEN
        threading.Thread(target=_end_jobs, args=(first,), daemon=True).start()
        raise KeyboardInterrupt

    sys.excepthook = _end_in_a_line
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as in the background of a script
            signal.signal(number, end)


def _end_in_a_line(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say that a signal ended it, where Snakemake doesn't catch it: before its jobs and after."""
    if issubclass(kind, KeyboardInterrupt):
        print_message("stopped")
    else:
        sys.__excepthook__(kind, error, trace)


def _end_jobs(first_seconds: float) -> None:
    """Send the jobs SIGTERM, again and again, as one may be about to start.

    Ctrl-C in a terminal reaches them as well, so they first get the time to end by that.
    """
    time.sleep(first_seconds)
    while True:
        for job in children(os.getpid()):
            send(job, signal.SIGTERM)
        time.sleep(SECONDS_BETWEEN)
