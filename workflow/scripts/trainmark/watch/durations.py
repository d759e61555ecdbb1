"""Durations of earlier runs, from which those of others are estimated."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from trainmark.study import axes

AROUND_A_RUN_SECONDS = 4.0  # to start a job, and to look for a quiet machine
STEPS = ("steps", "max_seconds")
LIKENESSES = (
    ("framework", "network", "image_shape", "batch_size", *axes.NAMES, *STEPS),
    ("framework", "network", "image_shape", "stage", *STEPS),
    ("network", "image_shape", "stage"),
    ("stage",),
)
"""The settings that runs have in common that take about as long, from most alike to least."""


class Durations:
    """Seconds of runs by what they have in common."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[Any, ...], list[float]] = defaultdict(list)

    def add(self, status: str, settings: Mapping[str, Any], seconds: float) -> None:
        """Add a run. One that failed counts only for those that are most alike."""
        for names in LIKENESSES if status == "ok" else LIKENESSES[:1]:
            self._seconds[_key(names, settings)].append(seconds)

    def of(self, settings: Mapping[str, Any]) -> float | None:
        """The median of the runs most like one with these settings; None where there are none."""
        for names in LIKENESSES:
            if seconds := self._seconds.get(_key(names, settings)):
                return median(seconds)
        return None


def earlier(results: Path) -> Durations:
    """The durations of all runs whose run.json is in a folder of results."""
    durations = Durations()
    for record in _records(results):
        attempts = record.get("attempts") or 1
        seconds = record["wall_seconds"] * attempts + AROUND_A_RUN_SECONDS
        durations.add(record["status"], record["job"], seconds)
    return durations


def _records(results: Path) -> Iterator[dict[str, Any]]:
    for path in results.glob("*/runs/**/run.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.get("wall_seconds"):  # of a worker that was started
            yield record


def _key(names: tuple[str, ...], settings: Mapping[str, Any]) -> tuple[Any, ...]:
    complete = {**axes.UNSEEN, **settings}
    return (names, *(str(complete.get(name)) for name in names))
