"""The time to the accuracy that a case asks for, by framework."""

from typing import Any

import pandas as pd

from trainmark.analyse.along.time_to_accuracy import time_to_accuracy
from trainmark.report.words import cells, layout

TITLE = "Time to accuracy"
BLOCK = "case"
NONE = "No run of a case with a target_accuracy was evaluated."
NOTE = (
    "Seconds of training, without evaluations, until the first evaluation at or above the case's "
    "target_accuracy. n: the runs that reached it, of all; the mean is theirs alone. Beside the "
    "fastest: how many times as long, with its 95 % interval."
)

make = time_to_accuracy


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "framework", "seconds", "n", "beside the fastest", "accuracy %", "images/s"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """What the numbers are, and where they were measured."""
    return cells.notes(table, NOTE, cells.INTERVAL)


def _shown(row: Any) -> list[str]:
    time = cells.value(row) if row.n else cells.status(row)
    beside = cells.NOTHING
    if not pd.isna(row.ratio):
        beside = f"{cells.ratio(row)}, {row.verdict}"
    return [
        row.case,
        cells.framework_title(row.framework, row.adapter),
        time,
        f"{row.n} of {row.repeats}",
        beside,
        cells.number("accuracy_top1", row.accuracy_top1_mean, row.accuracy_top1_half_width),
        cells.number("training_speed", row.training_speed_mean, row.training_speed_half_width),
    ]
