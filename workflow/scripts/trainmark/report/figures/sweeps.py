"""Training speed, memory and processor along a setting that has several values in a case."""

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas.api.types import is_numeric_dtype

from trainmark.analyse.along import sweeps
from trainmark.report.draw import curves, style
from trainmark.report.figures import Functions
from trainmark.report.words import cells

NOTE = (
    "Points: means over the runs. The axes of speeds and batch sizes are logarithmic; those of "
    "memory and cores start at 0."
)


def figure(along: str, x_title: str, **_facts: Any) -> Functions:
    """The functions of a figure along a setting."""
    return Functions(partial(_data, along), partial(_draw, along, x_title))


def _data(along: str, measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point, in panels by case and metric."""
    table = sweeps.along(measurements, along)
    points = curves.with_labels(table, x=along)
    quantities = [
        cells.heading(metric, [network])
        for metric, network in zip(table["metric"], table["network"], strict=True)
    ]
    return points.assign(quantity=quantities)


def _draw(along: str, x_title: str, data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework and its settings."""

    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        positions = _positions(axes, rows[along])
        for curve, line in curves.lines(rows, colours):
            axes.plot(positions[curve.index], curve["mean"], marker="o", ms=3, gid="curve", **line)
        if rows["metric"].iloc[0] == sweeps.METRICS[0]:
            style.logarithmic(axes, "y", rows["mean"])
        else:
            axes.set_ylim(0, 1.1 * rows["mean"].max())
        curves.finish(axes, rows, x_title, rows["quantity"].iloc[0])

    return curves.panels(data, title, f"{NOTE}\n{note}", panel)


def _positions(axes: Axes, values: pd.Series) -> pd.Series:
    """Scale the axis of a setting: logarithmic for numbers, names one after the other.

    Returns where each value is on it.
    """
    if is_numeric_dtype(values):
        style.logarithmic(axes, "x", values)
        return values
    names = list(values.unique())
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.4, len(names) - 0.6)
    return values.map(names.index)


speed_batch = figure(
    title="Training by batch size",
    stages=("train",),
    along="batch_size",
    x_title="batch size",
)
speed_threads = figure(
    title="Training by number of threads",
    stages=("train",),
    along="thread_count",
    x_title="threads",
)
