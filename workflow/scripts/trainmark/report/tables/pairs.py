"""The ratio of each two frameworks of a case, with its interval and verdict."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.pairs import pairs
from trainmark.report.words import cells, layout

TITLE = "Pairs"
BLOCK = "case"
NONE = "No case has two frameworks with a value of the main metric."
NOTE = (
    "A verdict is given where the interval excludes 1; of many pairs of equals, at most one in "
    "twenty gets one by chance."
)

make = pairs


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading: names spelt out, the ratio with its interval."""
    columns = ["case", "framework", "ratio", "95 % interval", "verdict", "than"]
    return layout.for_reading(table, columns, _shown, 1)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, f"{cells.ratio_of_means(table)}. {NOTE}")


def _shown(row: Any) -> list[str]:
    return [
        row.case,
        cells.framework_title(row.first, row.first_adapter),
        cells.factor(row.ratio),
        cells.interval(row.low, row.high) + cells.mark(row),
        row.verdict,
        cells.framework_title(row.second, row.second_adapter),
    ]
