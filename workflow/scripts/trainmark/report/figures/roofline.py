"""Achieved arithmetic by arithmetic intensity, under the best that the machine was seen to do."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.along.roofline import INTENSITY, OPERATIONS, roofline, roofs
from trainmark.report.draw import bars, curves, style
from trainmark.report.words import cells

TITLE = "Achieved arithmetic"
VALUE = "mean"
STAGES = ("train", "gradients", "infer", "attack")
PANEL_INCHES = 3.4
MARKERS = "osD^vPX*hd<>8p"
FILLS = ("full", "none", "left", "right", "top")
"""The fill style of markers, one per stage."""
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
    by_panel = data.assign(case=data["panel"], name=data["case"]) if len(data) else data
    return bars.panels(by_panel, title, f"{NOTE}\n{note}", _panel, lambda rows: PANEL_INCHES)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    markers = dict(zip(rows["name"].unique(), MARKERS * len(rows), strict=False))
    fills = dict(zip(rows["stage"].unique(), FILLS, strict=False))
    for (framework, name, stage), points in rows.groupby(
        ["framework", "name", "stage"], sort=False
    ):
        look = {"color": colours[str(framework)], "marker": markers[name], "ms": 5, "ls": ""}
        look["fillstyle"] = fills[stage]
        axes.plot(points["intensity"], points["mean"], gid="curve", **look)
    for label, points in rows.groupby("label", sort=False):
        colour = colours[points["framework"].iloc[0]]
        axes.plot([], [], "s", color=colour, ms=5, label=str(label))
    for name, marker in markers.items():
        axes.plot([], [], marker, color=style.QUIET_COLOUR, ms=5, label=str(name))
    for stage, fill in fills.items() if len(fills) > 1 else ():
        look = {"color": style.QUIET_COLOUR, "ms": 5, "fillstyle": fill}
        axes.plot([], [], MARKERS[0], label=f"stage {stage}", **look)
    axes.axhline(rows["best"].iloc[0], color=style.QUIET_COLOUR, lw=0.8, ls="--")
    style.logarithmic(axes, "x", rows["intensity"])
    style.logarithmic(axes, "y", rows["mean"])
    curves.finish(axes, rows, "FLOP/byte", "GFLOP/s")
