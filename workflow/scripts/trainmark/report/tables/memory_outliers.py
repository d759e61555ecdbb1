"""Which frameworks take far more GPU memory than the others."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.memory_outliers import FAR_MORE, outliers
from trainmark.report.words import cells, layout

TITLE = "Memory outliers"
BLOCK = "case"

make = outliers


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "device", "framework", "MiB", "median of the others", "times"]
    return layout.for_reading(table, columns, _shown, 2, besides=("device",))


def notes(table: pd.DataFrame) -> list[str]:
    """The meaning of an outlier, and where it was measured."""
    where = "" if table.empty else f"{cells.where(table)}. "
    return [
        f"{where}{cells.counted(len(table), 'configuration')} whose mean GPU memory is at least "
        f"{FAR_MORE:g} times the median of the other frameworks on the same case and device."
    ]


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    numbers = (f"{value:,.0f}" for value in (row.mebibytes, row.median_of_others))
    return [row.case, row.device, title, *numbers, f"{row.times:.1f}"]
