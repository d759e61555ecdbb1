"""What is done of a study's runs, and what is left."""

from collections.abc import Mapping
from typing import Any

from trainmark.runs.outcome import FAILURES
from trainmark.watch.durations import Durations

Settings = Mapping[str, Any]


class Progress:
    """The runs that are to be measured, by their paths, and what became of those measured."""

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
        """A run has ended, of which run.json is known, some seconds after it was started."""
        settings = self._left.pop(path)
        self._durations.add(record["status"], settings, seconds)
        self.failed += record["status"] in FAILURES
        self.disturbed += bool(record["disturbed"])

    def seconds_left(self) -> float | None:
        """What the runs that are left will take; None where nothing is known of any.

        One like no other counts as the mean of those of which something is known.
        """
        found = [self._durations.of(settings) for settings in self._left.values()]
        known = [seconds for seconds in found if seconds is not None]
        if found and not known:
            return None
        return sum(known) / max(1, len(known)) * len(found)

    def text(self) -> str:
        """All of it in one line, without an end."""
        parts = [f"{self.done} of {self.total} runs done"]
        parts += [f"{self.failed} failed"] * bool(self.failed)
        parts += [f"{self.disturbed} disturbed"] * bool(self.disturbed)
        if seconds := self.seconds_left():
            parts.append(f"about {span(seconds)} left")
        return ", ".join(parts)


def forecast(progress: Progress, memory_gigabytes: float, disk_gigabytes: float) -> str:
    """What is about to be done, how long it takes, the most memory of a run, and all of the disk.

    Nothing where no run and nothing that takes room on the disk is to be done.
    """
    seconds = progress.seconds_left()
    took = (
        "how long can't be told, nothing like them was measured here before"
        if seconds is None
        else f"about {span(seconds)}, as their like took before"
    )
    parts = []
    if progress.total:
        runs = "1 run" if progress.total == 1 else f"{progress.total} runs"
        parts += [f"{runs} to be measured: {took}"]
    if memory_gigabytes:
        parts += [f"the largest may take {memory_gigabytes:.1f} GB of memory"]
    if disk_gigabytes:
        parts.append(f"environments and data may take {disk_gigabytes:.1f} GB of disk")
    return "; ".join(parts)


def span(seconds: float) -> str:
    """A time as people say it: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
