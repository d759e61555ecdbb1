"""The speed-up from the CPU to a GPU, and from fewer to more GPUs."""

from typing import Any

import pandas as pd

from trainmark.analyse.along.scaling import speedups
from trainmark.report.words import cells, layout

TITLE = "Speed-up"
BLOCK = "case"
NONE = "No framework was measured on more than one of the study's devices."
NOTE = (
    "between two devices; no interval where n = 1. Efficiency: the speed-up divided by the ratio "
    "of the numbers of devices, in %."
)

make = speedups


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "framework", "from", "to", "speed-up", "95 % interval", "efficiency %"]
    return layout.for_reading(table, columns, _shown, 2, besides=("device",))


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, f"{cells.ratio_of_means(table)} {NOTE}")


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    interval = cells.interval(row.low, row.high) + cells.mark(row)
    share = cells.NOTHING if pd.isna(row.efficiency) else f"{row.efficiency:.0f}"
    return [row.case, title, row.base, row.device, cells.factor(row.speedup), interval, share]
