"""Speed-up by the number of devices, on one node and over nodes."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from trainmark.analyse.along.scaling import curves as of_devices
from trainmark.report.draw import curves, style
from trainmark.report.words import cells

TITLE = "Speed-up by number of devices"
VALUE = "speedup"
DEVICES = True
ROOM = 1.25  # beyond the first and the last point
IDEAL: dict[str, Any] = {"color": "#999999", "lw": 0.8, "ls": (0, (1, 2))}
NOTE = (
    "Points: the (geometric) mean speed divided by that on the fewest devices. Whiskers: its 95 % "
    "confidence interval (Welch's t of the logarithms); none where n = 1. Dotted: twice as fast on "
    "twice as many. Both axes are logarithmic."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    points = of_devices(measurements)
    others = [name for name in cells.varying(points) if name not in ("device", "batch_size")]
    labels = pd.Series(cells.titles(points, others), index=points.index, dtype=object)
    has_several = points.groupby("case")["path"].transform("nunique") > 1
    points.insert(0, "label", labels.where(~has_several, labels + ", " + points["path"]))
    points.insert(0, "panel", points["case"] + ", " + points["scaling"])
    return points


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework and way to more devices, in a panel per case."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    for curve, line in curves.lines(rows, colours):
        axes.plot(curve["times"], curve["speedup"], marker="o", ms=3.5, gid="curve", **line)
        with_interval = curve.dropna(subset=["low", "high"])
        axes.vlines(
            with_interval["times"],
            with_interval["low"],
            with_interval["high"],
            color=line["color"],
            lw=0.8,
        )
    numbers = sorted(rows["times"].unique())
    axes.plot(numbers, numbers, **IDEAL)
    style.logarithmic(axes, "y", pd.concat([rows["speedup"], rows["times"]]))
    axes.set(xscale="log", xlim=(1 / ROOM, ROOM * numbers[-1]))
    axes.set_xticks(numbers, [f"{number:,.3g}" for number in numbers])
    axes.xaxis.set_minor_locator(NullLocator())
    curves.finish(axes, rows, "times as many devices", "times as fast")
