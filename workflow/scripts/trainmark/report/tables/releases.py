"""Releases of each framework, each beside the one before it and beside the first."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.by_release import by_release
from trainmark.report.words import cells, layout

TITLE = "Releases"
BLOCK = "case"
NONE = "No framework of the study has releases (releases)."
NOTE = (
    "Ratio to the last release before it with a value, and to the first one. A verdict is given "
    "where the interval excludes 1; of many equals, at most one in twenty gets one by chance. The "
    "summary says why a release has no value"
)
COLUMNS = ["case", "framework", "release", "released", "value", "than before", "", "than first"]

make = by_release


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = [*COLUMNS[:4], cells.main_units(table) or "value", *COLUMNS[5:]]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, f"{cells.ratio_of_means(table)}. {NOTE}.", cells.INTERVAL)


def _shown(row: Any) -> list[str]:
    value = cells.value(row)
    if 0 < row.n < row.repeats:
        value += f" ({row.n} of {row.repeats} runs)"
    return [
        row.case,
        row.series,
        row.release,
        f"{row.released:%Y-%m-%d}",
        value if row.n else str(row.status),
        cells.ratio(row),
        cells.NOTHING if pd.isna(row.verdict) else row.verdict,
        cells.factor_with_interval(row.first_ratio, row.first_low, row.first_high),
    ]
