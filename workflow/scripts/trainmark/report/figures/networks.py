"""Training speed over what is known of a network: its multiply-adds, and its depth."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import configurations
from trainmark.report.draw import curves, points, style
from trainmark.report.figures import Functions
from trainmark.report.words import cells

NOTE = "A point for each case and framework. Both axes are logarithmic."


def figure(x: str, x_title: str, note: str, **_facts: Any) -> Functions:
    """The functions of a figure of training speeds over a column of `data`."""
    return Functions(data, partial(_draw, x, x_title, f"{note} {NOTE}"))


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration with a speed, in a panel for each machine, device and precision.

    `work` is its network's multiply-adds for an image, in billions: what its arithmetic per second
    and its speed amount to. `depth` is its network's, in layers.
    """
    training = measurements[measurements["stage"] == "train"]
    table = configurations(training, "training_speed")
    gflops, depths = (
        configurations(training, metric)["mean"].astype(float)
        for metric in ("achieved_gflops", "network_depth")
    )
    work = gflops / (2 * table["mean"].astype(float))
    return points.labelled(table.assign(work=work, depth=depths).dropna(subset=["work", "depth"]))


def _draw(
    x: str, x_title: str, notes: str, data: pd.DataFrame, title: str, note: str = ""
) -> Figure:
    """A panel for each machine, device and precision."""
    return points.panels(data, title, f"{notes}\n{note}", partial(_panel, x, x_title))


def _panel(x: str, x_title: str, axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    rows = rows.astype({"mean": float})
    points.plot(axes, rows, colours, x, "mean")
    style.logarithmic(axes, "x", rows[x])
    style.logarithmic(axes, "y", rows["mean"])
    if x == "work":
        _lines(axes, rows["work"], rows["mean"])
    curves.finish(axes, rows, x_title, cells.unit("training_speed", rows["network"]))


def _lines(axes: Axes, work: pd.Series, speeds: pd.Series) -> None:
    """Lines of equal arithmetic per second, at powers of ten between those of the points."""
    gflops = 2 * work * speeds
    ends, highest = np.array(axes.get_xlim()), axes.get_ylim()[1]
    for exponent in range(int(np.floor(np.log10(gflops.min()))), 1 + int(np.log10(gflops.max()))):
        line = 10.0**exponent / (2 * ends)
        axes.plot(ends, line, "--", color=style.QUIET_COLOUR, lw=0.6, zorder=0)
        start = max(ends[0], 10.0**exponent / (2 * highest))
        look: dict[str, Any] = {"fontsize": 6, "va": "top", "color": style.QUIET_COLOUR}
        axes.annotate(f"{10.0**exponent:,g}", (start, min(line[0], highest)), **look)


work_speed = figure(
    title="Training speed over the work of an image",
    stages=("train",),
    published=("thesis",),
    x="work",
    x_title="billion multiply-adds",
    note="Work: multiply-adds of the forward and the backward pass of one image. Dashed: equal "
    "GFLOP/s.",
)
depth_speed = figure(
    title="Training speed over the depth of a network",
    stages=("train",),
    published=("thesis",),
    x="depth",
    x_title="layers",
    note="Depth: layers with multiply-adds on the longest path through the network.",
)
