"""Intervals as whiskers of bars; figures of points draw their own."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.markers import CARETRIGHT, CARETUP

LONGEST = 2.5  # times the longest bar of a panel: there its axis ends
CAPS: dict[str, Any] = {"x": "|", "y": "_"}
ARROW_HEADS: dict[str, Any] = {"x": CARETRIGHT, "y": CARETUP}


def axis_end(bars: Iterable[float], ends: Iterable[float]) -> float:
    """Where an axis ends, from the lengths of its bars and the ends of bars and whiskers.

    It is the last of these ends, but not far beyond the longest bar. NaN counts for nothing.
    """
    return float(min(np.nanmax([0.0, *ends]), LONGEST * np.nanmax([0.0, *bars])))


def draw(
    axes: Axes, position: float, interval: tuple[float, float], axis_end: float, along: str = "x"
) -> None:
    """Draw an interval along an axis, with an arrow head where the axis ends before it does."""
    low, high = interval
    ends = [low, min(high, axis_end)]
    line = (ends, [position] * 2) if along == "x" else ([position] * 2, ends)
    axes.plot(*line, color="black", linewidth=0.9)
    marks = CAPS[along], (ARROW_HEADS if high > axis_end else CAPS)[along]
    for mark, x, y in zip(marks, *line, strict=True):
        axes.plot(x, y, marker=mark, color="black", markersize=5)
