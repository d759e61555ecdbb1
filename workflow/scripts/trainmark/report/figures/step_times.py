"""Step times over the window, run by run."""

from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.show import bars

TITLE = "Step times over the window"
SOURCE = "steps"
STAGES = ("train",)
VALUE = "milliseconds"
PANEL_INCHES = 3.2
STYLES = ("-", "--", "-.", ":")  # of devices, in their order
NOTE = (
    "A line for each run: the median step time of each hundredth of its window. Frameworks that "
    "queue their steps have none, nor have windows of so few that this can't be seen. Peaks far "
    "above the others are cut off."
)


def data(steps: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve."""
    table = steps.assign(n=1)
    table.insert(0, "label", bars.labels(table))
    return table


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Curves in one panel per case."""
    return bars.panels(data, title, f"{NOTE}\n{note}", _panel, lambda rows: PANEL_INCHES)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    styles = dict(zip(rows["device"].unique(), cycle(STYLES), strict=False))
    for label, runs in rows.groupby("label"):
        first = runs.iloc[0]
        line = dict(color=colours[first["framework"]], ls=styles[first["device"]])
        axes.plot([], [], label=str(label), **line)
        for _, run in runs.groupby("repeat"):
            axes.plot(run["end_seconds"], run["milliseconds"], lw=0.8, gid="curve", **line)
    axes.set_title(rows["case"].iloc[0])
    axes.set_ylim(0, 1.3 * float(np.percentile(rows["milliseconds"], 99)))
    axes.set_xlabel("seconds since the window's start", fontsize=8, loc="left")
    axes.set_ylabel("ms", fontsize=8)
    axes.grid()
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
