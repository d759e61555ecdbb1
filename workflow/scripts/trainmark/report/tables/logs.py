"""Speeds by the logs of frameworks' own loops, beside a clock of the same steps."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.own_loops import CLOCK, LOG, SHARE, beside
from trainmark.report.words import cells, layout
from trainmark.study import plugins

TITLE = "Speed by the log and by the clock"
BLOCK = "case"
COLUMNS = ["case", "framework", "n", "by the log", "by the clock", "log / clock %"]
COLUMNS += ["our loop", "own / ours", "status"]
UNITS = (
    "Images per second of the same steps: as the log of a framework's own loop states them, and by "
    "our clock, which waits for the device at both ends (of Caffe's own program, by its log's "
    "stamps). log / clock: run by run."
)
OURS = (
    "own / ours: by the clock, the own loop's speed relative to that of trainmark's loop in the "
    "same framework, with its 95 % confidence interval (Welch's t of the logarithms)."
)

make = beside


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    return layout.for_reading(table, COLUMNS, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, on what each log leaves out, and where they were measured."""
    left_out = [_left_out(row) for row in table.drop_duplicates("adapter").itertuples()]
    return cells.notes(table, UNITS, OURS, cells.INTERVAL, *left_out)


def _left_out(row: Any) -> str:
    """A note on what the log of an adapter leaves out."""
    title = cells.framework_title(row.adapter, row.adapter)
    left_out = plugins.facts("dialect", row.dialect)["LEAVES_OUT"]
    return f"{title}: its log's speed leaves out {left_out}."


def _shown(row: Any) -> list[str]:
    return [
        row.case,
        cells.framework_title(row.framework, row.adapter),
        str(row.n),
        cells.number(LOG, row.log_mean, row.log_half_width),
        cells.number(CLOCK, row.mean, row.half_width),
        cells.number(SHARE, row.share_mean, row.share_half_width),
        cells.number(CLOCK, row.ours_mean, row.ours_half_width),
        cells.ratio(row),
        _status(row),
    ]


def _status(row: Any) -> str:
    """The own loop's, and what a reader must know of ours."""
    ours = "" if pd.isna(row.ours_remark) else f"; our loop: {row.ours_remark}"
    return cells.status(row) + ours
