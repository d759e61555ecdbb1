"""The rows of the table of settings: the settings of each case."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from trainmark.study import axes, stages
from trainmark.study.case_settings import CHANGED, SETTINGS
from trainmark.study.datasets import facts
from trainmark.study.planned_run import PlannedRun

BESIDE = {"steps": ("requested_steps",), "window_seconds": ("max_seconds",)}
"""Columns beside a setting that show the study's bounds on it, or its value before them."""
COLUMNS = (
    "case",
    *(
        name
        for setting in SETTINGS
        if setting.shown
        for name in (setting.name, *BESIDE.get(setting.name, ()))
    ),
)


AXES = (*axes.NAMES, "framework")
ALL = "all"

Point = tuple[str, ...]
"""A value of each axis, or of the last ones."""


def rows(runs: Iterable[PlannedRun]) -> list[dict[str, Any]]:
    """One row per case, or several where overrides or weak scaling give its runs other settings.

    Columns: COLUMNS, window_epochs (the window's steps as passes over the training images, without
    the warm-up, which the study's `epochs` include), a column for each axis by which settings
    differ (devices, precisions, ...) and frameworks. Of COLUMNS, requested_steps is left out where
    it equals steps in all rows, and so is a setting that is shown if CHANGED but is unchanged in
    all rows. Settings of updates are None for stages that don't update weights.
    """
    configurations = [_with_requested_steps(run) for run in runs if run.settings["repeat"] == 1]
    points_of: dict[tuple[Any, ...], list[Point]] = {}
    of_cases: dict[str, set[Point]] = {}
    for settings in configurations:
        key = tuple(settings[name] for name in COLUMNS)
        point = tuple(settings[axis] for axis in AXES)
        points_of.setdefault(key, []).append(point)
        of_cases.setdefault(settings["case"], set()).add(point)
    everywhere = [len({settings[axis] for settings in configurations}) for axis in AXES]
    rows = [
        _settings(key) | _whose(product, everywhere)
        for key, points in points_of.items()
        for product in _parts(points, of_cases[key[0]])
    ]
    return _without_needless(rows)


def in_words(value: Any) -> Any:
    """A mapping as "inverse: gamma 0.0001, power 0.75", a list as "1, 2", all else unchanged."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    if not isinstance(value, dict):
        return value
    parts = [
        f"{name}: {', '.join(f'{key} {each}' for key, each in of.items())}"
        if isinstance(of, dict)
        else f"{name}: {of}"
        for name, of in value.items()
    ]
    return "; ".join(parts) or "-"


def _with_requested_steps(run: PlannedRun) -> dict[str, Any]:
    settings = {name: in_words(value) for name, value in run.settings.items()}
    return {**settings, "requested_steps": run.requested.get("steps", run.settings["steps"])}


def _settings(key: Sequence[Any]) -> dict[str, Any]:
    settings = dict(zip(COLUMNS, key, strict=True))
    if not settings["learning_rate"]:
        needless = [name for name in stages.NO_UPDATE if name in settings]
        return {**settings, **dict.fromkeys((*needless, "window_epochs"))}
    images = settings["steps"] * settings["batch_size"]
    count = facts(settings["dataset"]).train_count
    return {**settings, "window_epochs": round(images / count, 3) if count else None}


def _parts(points: Sequence[Point], of_case: set[Point]) -> Iterator[list[list[str]]]:
    """Part points so that each part is all combinations, within the case, of some values per axis.

    One part is enough where the other combinations of the points' values don't occur in the case:
    not every machine has every device. Else the parts are those of `_products`.
    """
    values = [list(dict.fromkeys(column)) for column in zip(*points, strict=True)]
    if of_case.intersection(itertools.product(*values)) == set(points):
        yield values
    else:
        yield from _products(points)


def _products(points: Sequence[Point]) -> Iterator[list[list[str]]]:
    """Part points so that each part is all combinations of some values of each axis."""
    if not points[0]:
        yield []
        return
    alike: dict[tuple[Point, ...], list[str]] = {}
    for value in dict.fromkeys(point[0] for point in points):
        others = tuple(point[1:] for point in points if point[0] == value)
        alike.setdefault(others, []).append(value)
    for others, values in alike.items():
        for product in _products(others):
            yield [values, *product]


def _whose(product: Sequence[Sequence[str]], everywhere: Sequence[int]) -> dict[str, str]:
    """A column per axis: its values, or ALL where these are all values of the study."""
    return {
        f"{axis}s": ALL if len(values) == count else ", ".join(map(_value, values))
        for axis, values, count in zip(AXES, product, everywhere, strict=True)
    }


def _value(value: Any) -> str:
    """A value of an axis as text; all threads of a machine aren't all values of the axis."""
    return "all cores" if value == ALL else str(value)


def _without_needless(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without columns that say the same in all rows; frameworks always stay."""
    columns = [f"{axis}s" for axis in AXES if axis != "framework"]
    needless = [column for column in columns if all(row[column] == ALL for row in rows)]
    if all(row["requested_steps"] == row["steps"] for row in rows):
        needless.append("requested_steps")
    for setting in SETTINGS:
        unchanged = in_words(setting.default), None
        if setting.shown == CHANGED and all(row[setting.name] in unchanged for row in rows):
            needless.append(setting.name)
    return [{name: row[name] for name in row if name not in needless} for row in rows]
