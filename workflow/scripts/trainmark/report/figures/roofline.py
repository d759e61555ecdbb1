"""Achieved arithmetic by arithmetic intensity, under the best that the machine was seen to do."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.along.roofline import INTENSITY, OPERATIONS, roofline, roofs
from trainmark.report.draw import curves, points, style
from trainmark.report.words import cells

TITLE = "Achieved arithmetic"
VALUE = "mean"
STAGES = ("train", "gradients", "infer", "attack")
NOTE = (
    f"A point for each configuration, a line at the best of them. {OPERATIONS} {INTENSITY} Both "
    "axes are logarithmic."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point, by machine, device and precision."""
    table = roofline(measurements).dropna(subset=["mean", "intensity"]).reset_index(drop=True)
    titles = cells.titles(table, ())
    return table.drop(columns="remark").assign(label=titles, panel=roofs(table))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A panel for each machine, device and precision."""
    return points.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    points.plot(axes, rows, colours, "intensity", "mean")
    axes.axhline(rows["best"].iloc[0], color=style.QUIET_COLOUR, lw=0.8, ls="--")
    style.logarithmic(axes, "x", rows["intensity"])
    style.logarithmic(axes, "y", rows["mean"])
    curves.finish(axes, rows, "FLOP/byte", "GFLOP/s")
