"""How long runs took, to tell how long others will take."""

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
        """Take a run into account; only its like is expected to fail as fast as one that failed."""
        for names in LIKENESSES if status == "ok" else LIKENESSES[:1]:
            self._seconds[_key(names, settings)].append(seconds)

    def of(self, settings: Mapping[str, Any]) -> float | None:
        """The median of the runs most like one with these settings; None where there are none."""
        for names in LIKENESSES:
            if known := self._seconds.get(_key(names, settings)):
                return median(known)
        return None


def earlier(results: Path) -> Durations:
    """The durations of all runs whose run.json is in a folder of results."""
    found = Durations()
    for record in _records(results):
        attempts = record.get("attempts") or 1
        seconds = record["wall_seconds"] * attempts + AROUND_A_RUN_SECONDS
        found.add(record["status"], record["job"], seconds)
    return found


def _records(results: Path) -> Iterator[dict[str, Any]]:
    for path in results.glob("*/runs/**/run.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.get("wall_seconds"):  # of a worker that was started
            yield record


def _key(names: tuple[str, ...], settings: Mapping[str, Any]) -> tuple[Any, ...]:
    known = {**axes.UNSEEN, **settings}
    return (names, *(str(known.get(name)) for name in names))
