"""Points of configurations: a colour for each framework, a marker for each case."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.along.roofline import roofs
from trainmark.report.draw import curves, style
from trainmark.report.draw.curves import Panel
from trainmark.report.words import cells

MARKERS = "osD^vPX*hd<>8p"
FILLS = ("full", "none", "left", "right", "top")
"""The fill style of markers, one per stage."""


def labelled(table: pd.DataFrame) -> pd.DataFrame:
    """The points of configurations, in a panel for each machine, device and precision."""
    rows = table.reset_index(drop=True)
    titles = cells.titles(rows, ())
    return rows.drop(columns="remark").assign(label=titles, panel=roofs(rows))


def panels(data: pd.DataFrame, title: str, note: str, draw: Panel) -> Figure:
    """A panel for each value of `panel`; the column `name` has the case of each row."""
    return curves.panels(data.assign(case=data["panel"], name=data["case"]), title, note, draw)


def plot(axes: Axes, rows: pd.DataFrame, colours: dict[str, str], x: str, y: str) -> None:
    """Plot the points of a panel, and what its legend says of colours, markers and fills."""
    markers = dict(zip(rows["name"].unique(), MARKERS * len(rows), strict=False))
    fills = dict(zip(rows["stage"].unique(), FILLS, strict=False))
    names = ["framework", "name", "stage"]
    for (framework, name, stage), points in rows.groupby(names, sort=False):
        look = {"color": colours[str(framework)], "marker": markers[name], "ms": 5, "ls": ""}
        axes.plot(points[x], points[y], gid="curve", fillstyle=fills[stage], **look)
    for label, points in rows.groupby("label", sort=False):
        colour = colours[points["framework"].iloc[0]]
        axes.plot([], [], "s", color=colour, ms=5, label=str(label))
    quiet: dict[str, Any] = {"color": style.QUIET_COLOUR, "ms": 5}
    for name, marker in markers.items():
        axes.plot([], [], marker, label=str(name), **quiet)
    for stage, fill in fills.items() if len(fills) > 1 else ():
        axes.plot([], [], MARKERS[0], fillstyle=fill, label=f"stage {stage}", **quiet)
