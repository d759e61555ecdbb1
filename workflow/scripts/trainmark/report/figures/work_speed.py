"""Training speed over the multiply-adds of an image, with lines of equal arithmetic per second."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.along.roofline import roofs
from trainmark.analyse.compare.configurations import configurations
from trainmark.report.draw import curves, points, style
from trainmark.report.words import cells

TITLE = "Training speed over the work of an image"
STAGES = ("train",)
PUBLISHED = ("thesis",)
NOTE = (
    "A point for each case and framework. Work: multiply-adds of the forward and the backward pass "
    "of one image. Dashed: equal GFLOP/s. Both axes are logarithmic."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration with a speed, in a panel for each machine, device and precision.

    `work` is its network's multiply-adds for an image, in millions: what its arithmetic per second
    and its speed amount to.
    """
    training = measurements[measurements["stage"].isin(STAGES)]
    table = configurations(training, "training_speed")
    gflops = configurations(training, "achieved_gflops")["mean"].astype(float)
    table = table.assign(work=1e3 * gflops / (2 * table["mean"].astype(float)))
    valued = table.dropna(subset="work").reset_index(drop=True)
    titles = cells.titles(valued, ())
    return valued.drop(columns="remark").assign(label=titles, panel=roofs(valued))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A panel for each machine, device and precision."""
    return points.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    rows = rows.astype({"mean": float})
    points.plot(axes, rows, colours, "work", "mean")
    style.logarithmic(axes, "x", rows["work"])
    style.logarithmic(axes, "y", rows["mean"])
    _lines(axes, rows["work"], rows["mean"])
    curves.finish(axes, rows, "million multiply-adds", "images/s")


def _lines(axes: Axes, work: pd.Series, speeds: pd.Series) -> None:
    """Lines of equal arithmetic per second, at powers of ten between those of the points."""
    gflops = 2 * work * speeds / 1e3
    ends, highest = np.array(axes.get_xlim()), axes.get_ylim()[1]
    for exponent in range(int(np.floor(np.log10(gflops.min()))), 1 + int(np.log10(gflops.max()))):
        line = 1e3 * 10.0**exponent / (2 * ends)
        axes.plot(ends, line, "--", color=style.QUIET_COLOUR, lw=0.6, zorder=0)
        start = max(ends[0], 1e3 * 10.0**exponent / (2 * highest))
        look: dict[str, Any] = {"fontsize": 6, "va": "top", "color": style.QUIET_COLOUR}
        axes.annotate(f"{10.0**exponent:,g}", (start, min(line[0], highest)), **look)
