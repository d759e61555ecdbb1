"""The main table: speed, accuracy, parity and status of every configuration."""

from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.compare.configurations import (
    configurations,
    main_values,
    run_columns,
    scores,
    sort_within_cases,
)
from trainmark.analyse.compare.statistics import ranks
from trainmark.report.words import cells, layout
from trainmark.study.axes import ALL_BUT_FRAMEWORK, CONFIGURATION

TITLE = "Summary"
BLOCK = "case"
METRICS = ("accuracy_top1", "parity_error")
RANK = (
    "#: 1 + how many of the same device and settings are significantly faster (95 % interval of "
    "the ratio above 1), none where n = 1."
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in each case the fastest first and those without a value last."""
    main = main_values(measurements)
    facts = ["machine", "metric", "status", "remark", "repeats", "disturbed"]
    score = [float(np.mean(scores(row) or np.nan)) for _, row in main.iterrows()]
    table = main[[*CONFIGURATION, *facts]].assign(rank=_ranks(main), score=score)
    others = {metric: configurations(measurements, metric) for metric in METRICS}
    for name, statistics in {"main": main, **others}.items():
        for statistic in ("mean", "median", "standard_deviation", "half_width", "n"):
            table[f"{name}_{statistic}"] = statistics[statistic]
    errors = others["parity_error"]
    table["parity_error_largest"] = errors[run_columns(errors)].max(axis="columns")
    return sort_within_cases(table, {"score": False, "framework": True}).drop(columns="score")


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading: names spelt out, values with their intervals."""
    unit = cells.main_units(table)
    columns = ["case", "#", "framework", "n", unit, "top-1 %", "parity", "status"]
    return layout.for_reading(table, columns, _shown, 3)


def notes(table: pd.DataFrame) -> list[str]:
    """The meaning of the marks, and where it was measured."""
    return cells.notes(table, cells.INTERVAL, RANK)


def _shown(row: Any) -> list[str]:
    main = cells.number(row.metric, row.main_mean, row.main_half_width)
    top1 = cells.number("accuracy_top1", row.accuracy_top1_mean, row.accuracy_top1_half_width)
    parity = cells.number("parity_error", row.parity_error_largest)
    rank = cells.NOTHING if pd.isna(row.rank) else str(int(row.rank))
    title = cells.framework_title(row.framework, row.adapter)
    return [row.case, rank, title, str(row.main_n), main, top1, parity, cells.status(row)]


def _ranks(main: pd.DataFrame) -> pd.Series:
    rank = pd.Series(index=main.index, dtype="Int64")
    for _, rows in main.groupby(list(ALL_BUT_FRAMEWORK)):
        rank[rows.index] = ranks([scores(row) for _, row in rows.iterrows()])
    return rank
