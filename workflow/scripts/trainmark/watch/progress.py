"""Progress of a call: how many of its runs are done, in each study, and how long the rest takes."""

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trainmark.runs.outcome import FAILURES
from trainmark.watch.durations import JOB_OVERHEAD_SECONDS, Durations

Settings = Mapping[str, Any]


class Left(NamedTuple):
    """The runs that are left: the seconds of those with similar earlier runs, and the others."""

    seconds: float
    unknown: int


class Progress:
    """The runs that are to be measured, by their paths, and the results of those measured."""

    def __init__(
        self, runs: Mapping[str, Settings], durations: Durations, left_out: Collection[str] = ()
    ) -> None:
        """`left_out`: the paths of runs that the study leaves out, which take no time."""
        self._left = dict(runs)
        self._durations = durations
        self.left_out = runs.keys() & frozenset(left_out)
        self._totals = Counter(_study(settings) for settings in runs.values())
        self.total = len(runs)
        self.failed = self.disturbed = 0

    @property
    def done(self) -> int:
        """How many runs are done."""
        return self.total - len(self._left)

    def end(self, path: str, record: Mapping[str, Any], seconds: float) -> str:
        """Count a run that has ended, by the content of its run.json and the seconds it took.

        Returns the progress in one line, with that of the run's study where there are several.
        """
        settings = self._left.pop(path)
        self._durations.add(record, seconds)
        self.failed += record["status"] in FAILURES
        self.disturbed += bool(record["disturbed"])
        return self.text(_study(settings))

    def left(self) -> Left:
        """What is left to be measured."""
        paths = [path for path in self._left if path not in self.left_out]
        # One estimate serves all repeats of a configuration.
        configurations = {_configuration(path): self._left[path] for path in paths}
        estimates = {name: self._durations.of(each) for name, each in configurations.items()}
        seconds = [estimates[_configuration(path)] for path in paths]
        others_seconds = JOB_OVERHEAD_SECONDS * (len(self._left) - len(paths))
        return Left(sum(filter(None, seconds)) + others_seconds, seconds.count(None))

    def text(self, study: str | None = None) -> str:
        """The progress in one line, and that of one study where there are several."""
        parts = [f"{self.done} of {self.total} runs done"]
        if study is not None and len(self._totals) > 1:
            total = self._totals[study]
            left = sum(_study(settings) == study for settings in self._left.values())
            parts.append(f"{total - left} of {total} in {study}")
        parts += [f"{self.failed} failed"] * bool(self.failed)
        parts += [f"{self.disturbed} disturbed"] * bool(self.disturbed)
        seconds, unknown = self.left()
        if seconds:
            others = f" without {_runs(unknown)} unlike any before" if unknown else ""
            parts.append(f"about {span(seconds)} left{others}")
        return ", ".join(parts)


def forecast(progress: Progress, memory_gigabytes: float, disk_gigabytes: float) -> str:
    """Forecast of a call in one line: its runs, their duration, memory and disk space.

    `memory_gigabytes` is that of the largest run. Empty where nothing is to be measured or stored.
    """
    parts = []
    if progress.total:
        parts += [f"{_runs(progress.total)} to be measured: {_duration(progress)}"]
    if memory_gigabytes:
        parts += [f"the largest may use {memory_gigabytes:.1f} GB of memory"]
    if disk_gigabytes:
        parts.append(f"environments and data may use {disk_gigabytes:.1f} GB of disk")
    return "; ".join(parts)


def span(seconds: float) -> str:
    """A duration in the unit that people would use: 40 s, 12 min, 3.5 h, 2.1 days."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


def _duration(progress: Progress) -> str:
    seconds, unknown = progress.left()
    if unknown and unknown == progress.total - len(progress.left_out):
        return "of unknown duration, as nothing like them was measured here before"
    duration = f"about {span(seconds)}, by the runs and the arithmetic of earlier ones"
    if unknown:
        duration += f"; without {_runs(unknown)} unlike any of them, whose duration can't be told"
    return duration


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count:,} runs"


def _configuration(path: str) -> str:
    """The configuration of a run, by the path of its run.json without the repeat."""
    return str(Path(path).parents[1])


def _study(settings: Settings) -> str:
    return str(settings.get("study"))
