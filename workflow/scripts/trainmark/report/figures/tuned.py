"""Speed of each framework's variants relative to its default, with its verdict."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.pairs import beside_the_default
from trainmark.report.draw import bars, curves, ratios, style
from trainmark.report.words import cells

TITLE = "Experts' settings beside each framework's default"
VARIANTS = True
VALUE = "ratio"
NOTE = (
    "Bars: ratio of the (geometric) mean speeds, of an entry with options to the one with the "
    "framework's own name. Whiskers: its 95 % confidence interval (Welch's t of the logarithms); "
    "none where n = 1. Pale: not distinguishable from the default, or without an interval."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per bar or gap, in the order of the study."""
    table = curves.with_labels(beside_the_default(measurements), by=("stage",))
    return table.reset_index(drop=True)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case and stage."""
    return bars.panels(data, title, f"{bars.with_marks(NOTE, data)}\n{note}", _panel, bars.inches)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    """In the frameworks' own colours, as the lighter ones of entries would look pale."""
    adapters = zip(rows["framework"], rows["adapter"], strict=True)
    colours = {framework: style.adapter_colour(adapter) for framework, adapter in adapters}
    ratios.panel(axes, rows, colours, lambda row: cells.ratio(row) + cells.mark(row))
