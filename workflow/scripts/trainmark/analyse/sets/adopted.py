"""Adopted logs: logs of runs that trainmark didn't start, converted to measurements."""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.errors import TrainmarkError
from trainmark.runs.formats import FORMAT
from trainmark.runs.logs import lines
from trainmark.runs.logs.speed import Stated, stated
from trainmark.runs.logs.statements import Progress
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION, DEFAULTS

STATED = ("training_speed", "logged_speed")
"""The metrics that a log states: the main metric of training, and the speed by the log."""
BESIDE = ("log", "dialect", "basis", "statements", "lowest", "highest")
"""The columns of a log besides those of a measurement."""
BY_ITS_LOG = "by its own log and clock"
"""The beginning of the remark on values that trainmark didn't measure."""
TRIED_LINES = 20_000  # of a log in an unknown dialect
SHOWN_CHARACTERS = 80

Entry = Mapping[str, Any]


class UnreadableLog(TrainmarkError):
    """A log that has no speed in its dialect."""


class Diverged(TrainmarkError):
    """A log whose loss isn't finite; a run of trainmark would fail."""


class SameConfiguration(TrainmarkError):
    """Two entries whose runs would count as repeats of each other."""


def speeds(study: str, logs: Mapping[str, Entry]) -> pd.DataFrame:
    """One row per log: its speed, its configuration, and the statements that the speed is from.

    Columns: those of measurements, for the metric training_speed, and BESIDE. `logs` are the
    entries of a study's key `logs` by name. Raises SameConfiguration, UnreadableLog, Diverged, and
    UnknownPlugin for a dialect.
    """
    _check_distinct(study, logs)
    rows = [row for name, entry in logs.items() for row in _rows(study, name, entry)]
    return pd.DataFrame(rows, columns=[*COLUMNS, *BESIDE])


def _check_distinct(study: str, logs: Mapping[str, Entry]) -> None:
    names: dict[tuple[Any, ...], str] = {}
    for name, entry in logs.items():
        described = _described(study, entry)
        other = names.setdefault(tuple(described.get(key) for key in CONFIGURATION), name)
        if other != name:
            raise SameConfiguration(
                f"logs: {other} and {name} are of the same configuration: put the files of one "
                "machine into one entry, and those of another machine into another study"
            )


def measurements(logged: pd.DataFrame) -> pd.DataFrame:
    """`speeds` as measurements: a row for each metric, with a value or the reason for none."""
    metrics = plugins.names("metric")
    rows = [
        {**row, **_measured(metric, row)}
        for row in logged[list(COLUMNS)].to_dict("records")
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _measured(metric: str, row: Mapping[Any, Any]) -> dict[str, Any]:
    is_stated = metric in STATED
    return {
        "metric": metric,
        "unit": plugins.facts("metric", metric)["UNIT"],
        "value": row["value"] if is_stated else None,
        "absent": None
        if is_stated
        else "a log of a run that trainmark didn't start doesn't tell it",
    }


def _rows(study: str, name: str, entry: Entry) -> Iterator[dict[str, Any]]:
    for repeat, file in enumerate(entry["files"], start=1):
        statement = speed(Path(file), entry, f"logs: {name}: {file}")
        yield {
            **_described(study, entry),
            "repeat": repeat,
            "value": statement.images_per_second,
            "log": name,
            "dialect": entry["dialect"],
            **{field: fact for field, fact in statement._asdict().items() if field in BESIDE},
        }


def _described(study: str, entry: Entry) -> dict[str, Any]:
    axes = {name: entry.get(name, default) for name, default in DEFAULTS.items()}
    framework = entry["framework"]
    return {
        **axes,
        **dict.fromkeys(("framework", "adapter", "environment"), framework),
        "study": study,
        "case": entry.get("case", entry["network"]),
        "stage": "train",
        **{name: entry[name] for name in ("dataset", "network", "machine")},
        "batch_size": int(entry["batch_size"]),
        "status": "ok",
        "reason": f"{BY_ITS_LOG} ({entry['dialect']}): no parity, no telemetry",
        "disturbed": False,
        "default_of": None,
        "metric": "training_speed",
        "unit": plugins.facts("metric", "training_speed")["UNIT"],
        "absent": None,
        "format": FORMAT,
    }


def speed(path: Path, entry: Entry, where: str) -> Stated:
    """The speed that a log states.

    Raises UnreadableLog, which describes the expected lines, and Diverged.
    """
    dialect = plugins.load("dialect", entry["dialect"])
    steps = int(entry["steps"]) if "steps" in entry else None
    statements = _finite(dialect.progress(lines.read(path)), where)
    speed = stated(statements, int(entry["batch_size"]), steps=steps)
    if speed is None:
        raise UnreadableLog(f"{where} {_mismatch(path, dialect)}")
    return speed


def _finite(statements: Iterable[Progress], where: str) -> Iterator[Progress]:
    for statement in statements:
        if statement.loss is not None and not math.isfinite(statement.loss):
            at = f" at step {statement.step}" if statement.step is not None else ""
            raise Diverged(f"{where}: its loss is not finite{at}; leave this log out of the files")
        yield statement


def _mismatch(path: Path, dialect: Any) -> str:
    """Why a log has no speed in its dialect, in a line."""
    expected = dialect.EXPECTED
    first = next((line for line in lines.read(path) if line.strip()), None)
    if first is None:
        return "has no line that came to its end"
    if stated(dialect.progress(lines.read(path)), 1, steps=1):
        return "states a time, but not of how many steps; tell it by the key steps"
    fitting = [name for name in plugins.names("dialect") if _states(name, path)]
    other = f"; it is in the dialect {' or '.join(fitting)}" if fitting else ""
    begins = "".join(letter if letter.isprintable() else "?" for letter in first[:SHOWN_CHARACTERS])
    return f"states no speed: expected {expected}; it begins with {begins!r}{other}"


def _states(dialect: str, path: Path) -> bool:
    """Whether the beginning of a log states speeds in a dialect."""
    beginning = islice(lines.read(path), TRIED_LINES)
    return stated(plugins.load("dialect", dialect).progress(beginning), 1) is not None
