"""Speed by the log of a framework's own loop, and that loop's cost, in percent of the clock's.

Points, not bars: nearly all lies about 100 %, so the axis doesn't begin at zero.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trainmark.analyse.compare.own_loops import CLOCK, LOG, beside
from trainmark.report.draw import bars
from trainmark.report.words import cells

TITLE = "Speed by the log and by the clock"
STAGES = ("train",)
OF = "DIALECT"
VALUE = "share_mean"
EVEN = 100.0
ROOM = 0.55  # of the axis, right of the points, for what is written there
LOG_PLACE, LOOP_PLACE = -0.14, 0.2  # beside the middle of a row
NOTE = (
    "Circles: speed by the log of the framework's own loop, in percent of that by our clock of the "
    "same steps. Diamonds: speed of the own loop by the clock, in percent of that of trainmark's "
    "loop in the same framework. Lines: 95 % confidence intervals; none where n = 1. Images per "
    "second beside them. What each log leaves out, the table of this name says."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration whose log is the framework's own."""
    table = beside(measurements)
    table.insert(0, "label", cells.labels(table))
    return table


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """The points of each case in a panel."""
    remarked = [bars.REMARKED] * bool(data["remark"].notna().any())
    notes = [bars.with_marks(NOTE, data), *remarked, note]
    return bars.panels(data, title, "\n".join(notes), _panel, bars.inches)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    end = _scale(axes, rows)
    for row in rows.itertuples():
        _row(axes, row, colours[str(row.framework)], end)
    axes.axvline(EVEN, color="black", linewidth=0.6, zorder=0)
    axes.set_xlabel("log / clock, own / ours (%)", fontsize=8, loc="left")
    bars.name(axes, rows)


def _row(axes: Axes, row: Any, colour: str, end: float) -> None:
    """The points of a row and what both said, or why there are none."""
    if pd.isna(row.share_mean):
        bars.write_reason(axes, cells.status(row), row.Index, EVEN)
        return
    _points(axes, row, colour)
    axes.annotate(_text(row), (end, row.Index), fontsize=7, va="center")


def _points(axes: Axes, row: Any, colour: str) -> None:
    """Log to clock, and behind it own to our loop, where that was measured."""
    position = row.Index + LOG_PLACE
    if pd.notna(row.share_half_width):
        ends = row.share_mean - row.share_half_width, row.share_mean + row.share_half_width
        axes.hlines(position, *ends, color=colour, linewidth=1.2)
    axes.plot([row.share_mean], [position], "o", ms=5, color=colour, gid="row")
    position = row.Index + LOOP_PLACE
    if pd.notna(row.low):
        axes.hlines(position, 100 * row.low, 100 * row.high, color=colour, linewidth=0.8)
    if pd.notna(row.ratio):
        axes.plot([100 * row.ratio], [position], "D", ms=4, mfc="white", mec=colour)


def _scale(axes: Axes, rows: pd.DataFrame) -> float:
    """An axis about all points, with room for text; where the text begins."""
    columns = ["share_mean", "share_half_width", "low", "high", "ratio"]
    share, half_width, low, high, ratio = (rows[name].astype(float) for name in columns)
    ends = [share - half_width.fillna(0), share + half_width.fillna(0)]
    ends += [100 * each for each in (low, high, ratio)]
    numbers = np.array([EVEN - 1, EVEN + 1, *pd.concat(ends).dropna()])
    first, last = numbers.min(), numbers.max()
    width = last - first
    axes.set_xlim(first - 0.05 * width, last + (ROOM + 0.05) * width / (1 - ROOM))
    axes.set_xticks([tick for tick in MaxNLocator(4).tick_values(first, last) if tick <= last])
    return float(last + 0.06 * width)


def _text(row: Any) -> str:
    """The speeds by log and by clock."""
    logged, timed = (cells.number(m, v) for m, v in ((LOG, row.log_mean), (CLOCK, row.mean)))
    return f"log {logged}, clock {timed}" + bars.marks(row)
