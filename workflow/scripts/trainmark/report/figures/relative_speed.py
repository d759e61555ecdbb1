"""Speed of each framework relative to the fastest of its case, with its verdict."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import sort_within_cases
from trainmark.analyse.compare.pairs import FASTEST, beside_the_fastest
from trainmark.report.draw import bars, curves, ratios
from trainmark.report.words import cells

TITLE = "Speed relative to the fastest"
VALUE = "ratio"
NOTE = (
    "Bars: ratio of the (geometric) mean speeds. Whiskers: its 95 % confidence interval (Welch's t "
    "of the logarithms); none where n = 1. Pale: not distinguishable from the fastest, "
    "or without an interval."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per bar or gap: the fastest on top of each case, gaps last."""
    table = curves.with_labels(beside_the_fastest(measurements), by=("stage",))
    return sort_within_cases(table, {"ratio": False, "label": True})


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case and stage."""
    return bars.panels(data, title, f"{bars.with_marks(NOTE, data)}\n{note}", _panel, bars.inches)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    ratios.panel(axes, rows, colours, _value)


def _value(row: Any) -> str:
    return (FASTEST if row.verdict == FASTEST else cells.ratio(row)) + cells.mark(row)
