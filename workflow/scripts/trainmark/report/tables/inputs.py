"""The cost of reading: each framework's training speed by input mode, and its wait for input."""

from typing import Any

import pandas as pd

from trainmark.analyse.along.input_modes import MODES, input_modes
from trainmark.report.words import cells, layout

TITLE = "Input modes"
BLOCK = "case"
MODE = (
    "and behind each the percent of the window spent waiting for input. None where a framework "
    "queues its steps and computes meanwhile: there, look at the ratio instead."
)
RATIO = "dataset over synthetic; none where n = 1. At 1 reading costs nothing."

make = input_modes


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading: of each mode the speed, and the wait beside it."""
    by_mode = [name for mode in MODES for name in (mode, "wait %")]
    columns = ["case", "framework", *by_mode, "dataset / synthetic"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    units, ratio = cells.main_units(table), cells.ratio_of_means(table)
    lines = [f"{units} of each input mode, {MODE}", f"{ratio}, {RATIO}", cells.INTERVAL]
    return cells.notes(table, *lines)


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    by_mode = [cell for mode in MODES for cell in (_mean(row, mode), _wait(row, mode))]
    return [row.case, title, *by_mode, cells.ratio(row)]


def _mean(row: Any, mode: str) -> str:
    names = ("status", "mean", "half_width", "disturbed")
    status, mean, half_width, disturbed = (getattr(row, f"{mode}_{name}") for name in names)
    if pd.isna(mean):
        return cells.NOTHING if pd.isna(status) or status == "ok" else str(status)
    return cells.number(row.metric, mean, half_width) + " *" * bool(disturbed)


def _wait(row: Any, mode: str) -> str:
    return cells.number("data_wait", getattr(row, f"{mode}_data_wait"))
