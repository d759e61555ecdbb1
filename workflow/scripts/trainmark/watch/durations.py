"""Durations of runs, estimated from those of earlier runs and from the arithmetic of both.

A run takes an overhead (start-up, proof of parity, evaluation) and the time of its steps:

    seconds = overhead + multiply-adds of all its steps / rate of the most similar earlier runs

Runs are similar only where their steps differ by less than tenfold in arithmetic: a small network
says nothing of a large one. The duration of a run without a similar one isn't known.
"""

import math
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from trainmark.errors import TrainmarkError
from trainmark.runs import records
from trainmark.study import axes
from trainmark.study.arithmetic import multiply_adds
from trainmark.study.stages import updates_weights

JOB_OVERHEAD_SECONDS = 2.0
"""To start a job, and to wait for a quiet machine."""
LARGEST_WORK_RATIO = 10.0
"""By how much the arithmetic of a step may differ between similar runs."""
NEAREST = 9
"""How many similar runs an estimate is made from: those nearest in the arithmetic of a step."""
PLACE = ("machine_name", "device")
SIMILARITIES = (
    ("framework", "network", "image_shape", "batch_size", *axes.NAMES),
    ("framework", "network", "image_shape", "stage", "precision", *PLACE),
    ("framework", "stage", "precision", *PLACE),
    ("stage", "precision", *PLACE),
    ("stage", *PLACE),
)
"""The settings that similar runs have in common, the most similar ones first."""


class Duration(NamedTuple):
    """What an earlier run took: its steps' arithmetic, its multiply-adds per second, the rest."""

    step_multiply_adds: float
    rate: float
    overhead_seconds: float


class Durations:
    """The durations of earlier runs by the settings that they have in common with others."""

    def __init__(self) -> None:
        self._similar: dict[tuple[Any, ...], list[Duration]] = defaultdict(list)
        self._unmeasured: dict[tuple[Any, ...], list[float]] = defaultdict(list)

    def add(self, record: Mapping[str, Any], seconds: float) -> None:
        """Add a run by the content of its run.json; it took `seconds` with all around it.

        A run without a window, as it failed or isn't supported, says something only of runs with
        the same settings.
        """
        settings = record["job"]
        if record["status"] != "ok" or not record.get("window"):
            self._unmeasured[_key(SIMILARITIES[0], settings)].append(seconds)
            return
        duration = _duration(record, seconds)
        for names in SIMILARITIES:
            insort(self._similar[_key(names, settings)], duration)

    def of(self, settings: Mapping[str, Any]) -> float | None:
        """The seconds that a run will take; None where no earlier run is similar."""
        same = _key(SIMILARITIES[0], settings)
        if same in self._unmeasured and same not in self._similar:
            return median(self._unmeasured[same])
        work = _step_multiply_adds(settings)
        for names in SIMILARITIES:
            if durations := _nearest(self._similar.get(_key(names, settings), []), work):
                return _estimate(durations, settings)
        return None


def earlier(results: Path) -> Durations:
    """The durations of all runs whose run.json is in a folder of results."""
    return of_runs(_records(results))


def of_runs(measured: Iterable[Mapping[str, Any]]) -> Durations:
    """The durations of runs, by the contents of their run.json."""
    durations = Durations()
    for record in measured:
        # The network of an earlier version, or of somebody else, may not be there any more, or not
        # be built; a forecast goes without such a run.
        with suppress(ModuleNotFoundError, KeyError, TypeError, ValueError, ArithmeticError):
            durations.add(record, seconds_of(record))
    return durations


def seconds_of(record: Mapping[str, Any]) -> float:
    """The seconds that a run took, with all its attempts and what is around it."""
    attempts = record.get("attempts") or 1
    return float((record.get("wall_seconds") or 0.0) * attempts + JOB_OVERHEAD_SECONDS)


def _records(results: Path) -> Iterator[dict[str, Any]]:
    for path in results.glob("*/runs/**/run.json"):
        # Other studies may be damaged, or of a later version; this one's runs have been checked.
        with suppress(TrainmarkError, OSError):
            record = records.read(path)
            if record.get("wall_seconds") or record["status"] == "unsupported":
                yield record  # others may be measured by now, such as unavailable ones


def _key(names: tuple[str, ...], settings: Mapping[str, Any]) -> tuple[Any, ...]:
    complete = {**axes.HOST_DEFAULTS, **settings}
    return (names, *(str(complete.get(name)) for name in names))


def _nearest(durations: list[Duration], work: float) -> list[Duration]:
    """Of durations, in ascending order, the nearest to a step's multiply-adds, within tenfold.

    All of equal work, where these are many: the first of them would be the slowest.
    """
    position = bisect_left(durations, (work,))
    equal = durations[position : bisect_right(durations, (work, math.inf))]
    if len(equal) >= NEAREST:
        return equal
    around = durations[max(0, position - NEAREST) : position + NEAREST]

    def distance(duration: Duration) -> float:
        return abs(math.log(duration.step_multiply_adds / work))

    within = [duration for duration in around if distance(duration) <= math.log(LARGEST_WORK_RATIO)]
    return sorted(within, key=distance)[:NEAREST]


def _step_multiply_adds(settings: Mapping[str, Any]) -> float:
    return float(multiply_adds(settings) * settings["batch_size"])


def _duration(record: Mapping[str, Any], seconds: float) -> Duration:
    settings, window = record["job"], record["window"]
    work = _step_multiply_adds(settings)
    window_seconds = window["end_seconds"] - window["start_seconds"]
    rate = work * record["images"] / settings["batch_size"] / window_seconds
    timed = window_seconds + _beside_window(settings, work / rate)
    return Duration(work, rate, max(0.0, seconds - timed))


def _estimate(durations: list[Duration], settings: Mapping[str, Any]) -> float:
    """The median overhead, and the time of the warm-up and of the window at the median rate."""
    step_seconds = _step_multiply_adds(settings) / median(each.rate for each in durations)
    overhead = median(each.overhead_seconds for each in durations)
    window = max(settings["steps"] * step_seconds, settings.get("window_seconds") or 0.0)
    limited = _within_limit(window, settings, step_seconds)
    return float(overhead + _beside_window(settings, step_seconds) + limited)


def _beside_window(settings: Mapping[str, Any], step_seconds: float) -> float:
    """The warm-up and what has the steps again: a second training, or the calls one by one."""
    steps = (settings.get("warmup_steps") or 0) + settings["steps"]
    second = steps * step_seconds if settings.get("evaluate_every") else 0.0
    if not updates_weights(settings["stage"]):
        second = _within_limit(settings["steps"] * step_seconds, settings, step_seconds)
    return _warmup_seconds(settings, step_seconds) + second


def _warmup_seconds(settings: Mapping[str, Any], step_seconds: float) -> float:
    """The steps of the warm-up, or its least number of seconds."""
    steps = (settings.get("warmup_steps") or 0) * step_seconds
    limited = _within_limit(steps, settings, step_seconds)
    return float(max(limited, settings.get("warmup_seconds") or 0.0))


def _within_limit(seconds: float, settings: Mapping[str, Any], step_seconds: float) -> float:
    """Seconds of steps, which end with the step in which the limit of seconds is over."""
    limit = settings.get("max_seconds")
    return min(seconds, limit + step_seconds) if limit else seconds
