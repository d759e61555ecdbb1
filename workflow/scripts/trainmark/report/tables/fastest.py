"""The fastest framework of each case on each device, beside the second fastest."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import main_rows
from trainmark.analyse.compare.pairs import pairs
from trainmark.report.tables import pairs as pairs_table
from trainmark.report.words import cells, layout
from trainmark.study.axes import ALL_BUT_FRAMEWORK

TITLE = "Fastest"
BLOCK = "case"
NONE = pairs_table.NONE
NOTE = "none where n = 1. At 1.00 neither is faster."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per case and device, in the order of the study: its two best."""
    order = main_rows(measurements)[list(ALL_BUT_FRAMEWORK)].drop_duplicates()
    highest = pairs(measurements).groupby(list(ALL_BUT_FRAMEWORK), sort=False).head(1)
    return order.merge(highest, on=list(ALL_BUT_FRAMEWORK))


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "device", "fastest", "ratio", "95 % interval", "to the second"]
    return layout.for_reading(table, columns, _shown, 2, besides=("device",))


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, f"{cells.ratio_of_means(table)}; {NOTE}")


def _shown(row: Any) -> list[str]:
    return [
        row.case,
        row.device,
        cells.framework_title(row.first, row.first_adapter),
        cells.factor(row.ratio),
        cells.interval(row.low, row.high) + cells.mark(row),
        cells.framework_title(row.second, row.second_adapter),
    ]
