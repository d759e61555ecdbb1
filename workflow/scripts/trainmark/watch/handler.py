"""Handlers of Snakemake's log, which print a line for each job and a status line."""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trainmark.runs import lines, records
from trainmark.terminal import PREFIX, StatusLine
from trainmark.watch.durations import Durations, earlier
from trainmark.watch.progress import Progress, forecast

NO_REASON = "For further error details"
"""The beginning of the text that Snakemake appends to each reason."""
STOPPING = "Terminating processes on user request"
"""The beginning of what Snakemake says after Ctrl-C or SIGTERM, before it ends its jobs."""


class ToDo(NamedTuple):
    """A job that is to be done: the first file that it makes, and its resources."""

    output: str
    memory_megabytes: int
    disk_megabytes: int


class Job(NamedTuple):
    """A job that is running: its rule's message, the run.json that it makes, its log, its start."""

    message: str
    run: str | None
    log: str | None
    began: float


class Announcer(logging.Handler):
    """Calls a function once, when Snakemake has determined its jobs."""

    def __init__(self, announce: Callable[[], None]) -> None:
        super().__init__(logging.INFO)
        self._announce, self._has_begun = announce, False
        self._acts: dict[str, Callable[[Any], None]] = {"run_info": self._begin}

    def emit(self, record: logging.LogRecord) -> None:
        """Handle an event of Snakemake."""
        act = self._acts.get(str(getattr(record, "event", "")))
        try:
            if act:
                act(record)
        except Exception:  # as in every handler: a line that can't be printed must not end a run
            self.handleError(record)

    def _begin(self, _record: Any) -> None:
        if not self._has_begun:  # in a dry run Snakemake logs it twice
            self._has_begun = True
            self._announce()


class Forecaster(Announcer):
    """Prints a forecast of the study."""

    def __init__(
        self,
        line: StatusLine,
        runs: Mapping[str, Mapping[str, Any]],
        to_do: Callable[[], Iterable[ToDo]],
        left_out: Collection[str] = (),
    ) -> None:
        """`runs`: the settings of all runs by their run.json; `left_out`: those not measured."""
        super().__init__(self._forecast)
        self._line, self._runs, self._to_do, self._left_out = line, runs, to_do, left_out
        self._progress: Progress | None = None

    def _forecast(self) -> None:
        jobs = list(self._to_do())
        runs = {job.output: self._runs[job.output] for job in jobs if job.output in self._runs}
        durations = earlier(Path("results")) if runs else Durations()
        self._progress = Progress(runs, durations, self._left_out)
        memory = max((job.memory_megabytes for job in jobs if job.output in runs), default=0)
        disk = sum(job.disk_megabytes for job in jobs)
        if text := forecast(self._progress, memory / 1000, disk / 1000):
            self._line.print_above(f"{PREFIX}{text}")


class Watcher(Forecaster):
    """Prints a forecast, and each job as it starts or ends."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._running: dict[int, Job] = {}
        self._is_stopping = False
        self._acts["job_info"] = self._start
        self._acts["job_finished"] = self._finish
        self._acts["job_error"] = self._fail

    def emit(self, record: logging.LogRecord) -> None:
        """Handle an event of Snakemake, or what it says when it is asked to stop."""
        self._is_stopping |= record.getMessage().startswith(STOPPING)
        super().emit(record)

    def close(self) -> None:
        """Remove the status line."""
        self._line.show("")
        super().close()

    def _start(self, record: Any) -> None:
        run = next((path for path in record.output if path in self._runs), None)
        message = record.rule_msg or record.rule_name
        log = record.log[0] if record.log else None
        self._running[record.jobid] = Job(message, run, log, time.monotonic())
        if not run:
            self._line.print_above(message)
        self._show_status()

    def _finish(self, record: Any) -> None:
        job = self._running.pop(record.job_id)
        # `--touch` reports runs that were never measured, too.
        if job.run and job.log and self._progress and Path(job.run).exists():
            ended = records.read(Path(job.run))
            progress = self._progress.end(job.run, ended, time.monotonic() - job.began)
            self._line.print_above(lines.end(job.run, job.log, progress))
        self._show_status()

    def _fail(self, record: Any) -> None:
        job = self._running.pop(record.jobid, None)
        message = job.message if job else record.rule_name
        if self._is_stopping:
            self._line.print_above(f"{PREFIX}stopped: {message}")
            return
        why = _why(record.rule_msg or "")
        log = f"; its log: {record.log[0]}" if record.log else ""
        self._line.print_above(f"{PREFIX}failed: {message}{why}{log}")
        self._show_status()

    def _show_status(self) -> None:
        """Show the running jobs; nothing between jobs, where Snakemake may print lines."""
        now = [job.message for job in self._running.values()]
        done = self._progress.text() if now and self._progress and self._progress.total else ""
        self._line.show(" | ".join(filter(None, [done, *now])))


def _why(message: str) -> str:
    """The reason of a batch system for a job that it refused or ended; empty for others."""
    reason = message.partition("\n")[0].partition(NO_REASON)[0].strip()
    return f": {reason}" if reason else ""
