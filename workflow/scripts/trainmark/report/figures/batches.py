"""Latency and throughput of prediction, from one batch size to the next."""

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.along.batches import by_batch
from trainmark.report.draw import curves, style
from trainmark.report.figures import Functions

NOTE = "Points: means over the runs, one for each batch size. Both axes are logarithmic."
LATENCY = "median latency (ms)"


def figure(x: tuple[str, str], y: tuple[str, str], **_facts: Any) -> Functions:
    """The functions of a figure; `x` and `y` are a column and its title."""
    return Functions(_data, partial(_draw, x, y))


def _data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    return curves.with_labels(by_batch(measurements), x="batch_size")


def _draw(
    x: tuple[str, str], y: tuple[str, str], data: pd.DataFrame, title: str, note: str = ""
) -> Figure:
    """A curve for each framework, device and precision, in a panel per case."""

    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        for curve, line in curves.lines(rows, colours):
            look = {"marker": curves.MARKERS[line["ls"]], "ms": 3.5, "gid": "curve", **line}
            axes.plot(curve[x[0]], curve[y[0]], **look)
        for along, (column, _) in {"x": x, "y": y}.items():
            style.logarithmic(axes, along, rows[column])
        curves.finish(axes, rows, x[1], y[1])

    return curves.panels(data, title, f"{NOTE}\n{note}", panel)


latency_batch = figure(
    title="Latency by batch size",
    stages=("infer",),
    along="batch_size",
    value="latency",
    x=("batch_size", "batch size"),
    y=("latency", LATENCY),
)
latency_throughput = figure(
    title="Latency and throughput",
    stages=("infer",),
    along="batch_size",
    value="speed",
    x=("latency", LATENCY),
    y=("speed", "speed of queued calls, images/s or texts/s"),
)
