"""The gain of a narrower precision: the main metric's ratio to float32, framework by framework."""

from typing import Any

import pandas as pd

from trainmark.analyse.along.precisions import WIDE, beside_float32
from trainmark.report.words import cells, layout

TITLE = "Precisions"
BLOCK = "case"
NONE = "No configuration has another precision than float32."

make = beside_float32


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading: both means, and the ratio with its interval."""
    columns = ["case", "framework", "precision", "stage", WIDE, "narrow", "ratio", "status"]
    whole = layout.for_reading(table, columns, _shown, 4, besides=("precision", "stage"))
    return layout.merge_gaps(whole, table["n"] > 0, ("precision",))


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    units = f"{WIDE}, narrow: {cells.main_units(table)}.", f"{cells.ratio_of_means(table)}."
    return cells.notes(table, *units, cells.INTERVAL)


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    wide = cells.number(row.metric, row.wide_mean, row.wide_half_width)
    narrow = cells.number(row.metric, row.mean, row.half_width)
    names = [row.case, title, row.precision, row.stage]
    remark = "" if pd.isna(row.wide_remark) else f"; {WIDE}: {row.wide_remark}"
    return [*names, wide, narrow, cells.ratio(row), cells.status(row) + remark]
