"""Ending the jobs of a Snakemake that gets a signal to end: by itself it would wait for them."""

import os
import signal
import sys
import threading
import time
from types import FrameType, TracebackType

from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

from trainmark.machine.processes import children, send
from trainmark.terminal import print_message

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SECONDS_BETWEEN = 0.3
CANCEL_SECONDS = 10.0  # for the program by which Snakemake has a batch system cancel jobs


def end_jobs_on_signal(batch_system: RemoteExecutor | None) -> None:
    """From now on SIGINT and SIGTERM end this Snakemake and its jobs, not Snakemake alone.

    `batch_system` is what submits the jobs, and None where all of them run on this machine.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        """Go on as after Ctrl-C: Snakemake starts nothing more and waits for what runs."""
        threading.Thread(target=_end_jobs, args=(batch_system,), daemon=True).start()
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


def _end_jobs(batch_system: RemoteExecutor | None) -> None:
    """End the jobs here by SIGTERM and cancel those of a batch system, again and again.

    One may be about to start. Ctrl-C in a terminal reaches those here as well: they get time to end
    by that first.
    """
    wait = SECONDS_BETWEEN if batch_system is None else CANCEL_SECONDS
    patience_ends = time.monotonic() + wait
    cancelled: list[SubmittedJobInfo] = []
    while True:
        time.sleep(SECONDS_BETWEEN)
        if batch_system is not None:
            cancelled += _cancel_jobs(batch_system, cancelled)
        if time.monotonic() >= patience_ends:
            for job in children(os.getpid()):
                send(job, signal.SIGTERM)


def _cancel_jobs(
    batch_system: RemoteExecutor, cancelled: list[SubmittedJobInfo]
) -> list[SubmittedJobInfo]:
    """Cancel the other jobs that Snakemake knows of now, and return them.

    On Ctrl-C it does so once; but while it looks for their states it knows of none, and a job that
    is being submitted comes later.
    """
    with batch_system.lock:
        jobs = [job for job in batch_system.active_jobs if job not in cancelled]
    if jobs:
        try:
            batch_system.cancel_jobs(jobs)
        except WorkflowError as error:
            print_message(str(error))
    return jobs
