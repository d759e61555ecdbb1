"""Progress of a study: how many of its runs are done, and how long the others will take."""

from collections.abc import Mapping
from typing import Any

from trainmark.runs.outcome import FAILURES
from trainmark.watch.durations import Durations

Settings = Mapping[str, Any]


class Progress:
    """The runs that are to be measured, by their paths, and the results of those measured."""

    def __init__(self, runs: Mapping[str, Settings], durations: Durations) -> None:
        self._left = dict(runs)
        self._durations = durations
        self.total = len(runs)
        self.failed = self.disturbed = 0

    @property
    def done(self) -> int:
        """How many runs are done."""
        return self.total - len(self._left)

    def end(self, path: str, record: Mapping[str, Any], seconds: float) -> None:
        """Count a run that has ended, by the content of its run.json and the seconds it took."""
        settings = self._left.pop(path)
        self._durations.add(record["status"], settings, seconds)
        self.failed += record["status"] in FAILURES
        self.disturbed += bool(record["disturbed"])

    def seconds_left(self) -> float | None:
        """Seconds that the runs that are left will take; None where none is like an earlier one.

        A run like no earlier one counts as the mean of the others.
        """
        estimates = [self._durations.of(settings) for settings in self._left.values()]
        seconds = [estimate for estimate in estimates if estimate is not None]
        if estimates and not seconds:
            return None
        return sum(seconds) / max(1, len(seconds)) * len(estimates)

    def text(self) -> str:
        """The progress in one line."""
        parts = [f"{self.done} of {self.total} runs done"]
        parts += [f"{self.failed} failed"] * bool(self.failed)
        parts += [f"{self.disturbed} disturbed"] * bool(self.disturbed)
        if seconds := self.seconds_left():
            parts.append(f"about {span(seconds)} left")
        return ", ".join(parts)


def forecast(progress: Progress, memory_gigabytes: float, disk_gigabytes: float) -> str:
    """Forecast of a study in one line: its runs, their duration, memory and disk space.

    `memory_gigabytes` is that of the largest run. Empty where nothing is to be measured or stored.
    """
    seconds = progress.seconds_left()
    duration = (
        "of unknown duration, as nothing like them was measured here before"
        if seconds is None
        else f"about {span(seconds)}, as similar runs took before"
    )
    parts = []
    if progress.total:
        runs = "1 run" if progress.total == 1 else f"{progress.total} runs"
        parts += [f"{runs} to be measured: {duration}"]
    if memory_gigabytes:
        parts += [f"the largest may use {memory_gigabytes:.1f} GB of memory"]
    if disk_gigabytes:
        parts.append(f"environments and data may use {disk_gigabytes:.1f} GB of disk")
    return "; ".join(parts)


def span(seconds: float) -> str:
    """A duration in the unit that people would use: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
