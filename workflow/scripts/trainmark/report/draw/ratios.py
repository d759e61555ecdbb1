"""Ratios as horizontal bars, pale where they aren't distinguishable from 1."""

from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from trainmark.analyse.compare.pairs import UNDECIDED
from trainmark.report.draw import bars, style, whiskers

FAINT = 0.4


def panel(
    axes: Axes, rows: pd.DataFrame, colours: dict[str, str], text: Callable[[Any], str]
) -> None:
    """Draw each row's ratio in its framework's colour with a text, or why there is none.

    Takes rows with label, framework, ratio, low, high, verdict and remark.
    """
    ratios, highs = rows["ratio"].astype(float), rows["high"].astype(float)
    axis_end = whiskers.axis_end([*ratios, 1.0], [*ratios, *highs, 1.0])  # 1 is always on it
    row: Any
    for row in rows.itertuples():
        if pd.isna(row.ratio):
            bars.write_gap(axes, row)
        else:
            end = _bar(axes, row, colours[str(row.framework)], axis_end)
            bars.write(axes, text(row), end, row.Index)
    bars.name(axes, rows)
    style.scale(axes, axis_end, around_one=True)


def _bar(axes: Axes, row: Any, colour: str, axis_end: float) -> float:
    """Draw a ratio as a bar with its interval as a whisker; returns where they end."""
    alpha = FAINT if row.verdict in UNDECIDED else 1
    axes.barh(row.Index, row.ratio, height=bars.BAR_HEIGHT, color=colour, alpha=alpha)
    if pd.isna(row.high):
        return float(row.ratio)
    whiskers.draw(axes, row.Index, (row.low, row.high), axis_end)
    return float(min(row.high, axis_end))
