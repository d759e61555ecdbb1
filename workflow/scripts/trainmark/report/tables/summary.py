"""The main table: speed, accuracy, parity and status of every configuration."""

from typing import Any

import pandas as pd

from trainmark.analyse.across.configurations import configurations, sort_within_cases, values
from trainmark.analyse.across.pairs import POINT
from trainmark.analyse.across.statistics import ranks
from trainmark.analyse.measurements import CONFIGURATION
from trainmark.report.show import cells

TITLE = "Summary"
BLOCK = "case"
METRICS = ("training_speed", "accuracy_top1", "parity_error")
RANK = (
    "#: 1 + how many of the same device and settings are surely faster (95 % interval of the ratio "
    "above 1), none where n = 1."
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in each case the fastest first and those without a value last."""
    speed = configurations(measurements, METRICS[0])
    facts = ["machine", "status", "remark", "repeats", "disturbed"]
    table = speed[[*CONFIGURATION, *facts]].assign(rank=_ranks(speed))
    for metric in METRICS:
        statistics = configurations(measurements, metric)
        for statistic in ("mean", "median", "standard_deviation", "half_width", "n"):
            table[f"{metric}_{statistic}"] = statistics[statistic]
    return sort_within_cases(table, {f"{METRICS[0]}_mean": False, "framework": True})


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The same for reading: names spelt out, values with their intervals."""
    rows = [_shown(row) for row in table.itertuples()]
    shown = pd.DataFrame(rows, columns=["case", "#", "framework", "n", *METRICS, "status"])
    names = {"training_speed": "images/s", "accuracy_top1": "top-1 %", "parity_error": "parity"}
    return cells.with_settings(shown.rename(columns=names), table, 3)


def notes(table: pd.DataFrame) -> list[str]:
    """What the marks in the table mean and where it was measured."""
    return cells.notes(table, cells.INTERVAL, RANK)


def _shown(row: Any) -> list[str]:
    numbers = [
        cells.number(metric, getattr(row, f"{metric}_mean"), getattr(row, f"{metric}_half_width"))
        for metric in METRICS[:2]
    ]
    parity = cells.number("parity_error", row.parity_error_mean)
    rank = cells.NOTHING if pd.isna(row.rank) else str(int(row.rank))
    title = cells.framework_title(row.framework, row.adapter)
    return [row.case, rank, title, str(row.training_speed_n), *numbers, parity, cells.status(row)]


def _ranks(speed: pd.DataFrame) -> pd.Series:
    found = pd.Series(index=speed.index, dtype="Int64")
    for _, rows in speed.groupby(list(POINT)):
        found[rows.index] = ranks([values(row) for _, row in rows.iterrows()])
    return found
