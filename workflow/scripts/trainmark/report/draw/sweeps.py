"""Curves of speed, memory and processor over a setting that has several values in a case."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas.api.types import is_numeric_dtype

from trainmark.analyse.along import sweeps
from trainmark.report.draw import curves, style
from trainmark.report.words import cells

NOTE = (
    "Points: means over the runs. The axes of speeds and batch sizes are logarithmic; those of "
    "memory and cores start at 0."
)


def data(measurements: pd.DataFrame, along: str) -> pd.DataFrame:
    """One row per point, in panels by case and metric."""
    table = sweeps.along(measurements, along)
    metrics = table["metric"].map(cells.heading)
    found = curves.named(table, x=along)
    return found.assign(panel=found["case"], quantity=metrics)


def draw(data: pd.DataFrame, title: str, note: str, x: tuple[str, str]) -> Figure:
    """A curve for each framework and its settings; `x` is the column of the setting, its title."""

    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        places = _places(axes, rows[x[0]])
        for curve, line in curves.lines(rows, colours):
            axes.plot(places[curve.index], curve["mean"], marker="o", ms=3, gid="curve", **line)
        if rows["metric"].iloc[0] == sweeps.METRICS[0]:
            style.logarithmic(axes, "y", rows["mean"])
        else:
            axes.set_ylim(0, 1.1 * rows["mean"].max())
        curves.finish(axes, rows, x[1], rows["quantity"].iloc[0])

    return curves.panels(data, title, f"{NOTE}\n{note}", panel)


def _places(axes: Axes, values: pd.Series) -> pd.Series:
    """Scale the axis of a setting: logarithmic for numbers, names one after the other."""
    if is_numeric_dtype(values):
        style.logarithmic(axes, "x", values)
        return values
    names = list(values.unique())
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.4, len(names) - 0.6)
    return values.map(names.index)
