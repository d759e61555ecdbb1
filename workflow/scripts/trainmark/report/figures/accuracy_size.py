"""Accuracy by the size of a model's file, in each form and runtime of the same trained network."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from trainmark.analyse.compare.statistics import share
from trainmark.analyse.trained.migration import CHANGES, migration
from trainmark.report.draw import curves, style
from trainmark.report.words import cells

TITLE = "Accuracy by file size, in runtimes on this PC"
STAGES = ("infer",)
SETTING = "trained_by"
VALUE = "accuracy_top1"
SIZE = "file_size"
PALE = 0.5  # of whiskers, so that many leave the marks to be seen
SMALLEST, WIDER = 3.5, 2.7  # points, of a marker, and from one runtime's to the next's
INTERVAL = ["low", "high"]
LEAST_SPAN = 1.0  # percentage points: less would make a figure of a few images
NOTE = (
    "Marks: means over the runs, in the runtime's colour and the form's shape. Runtimes that read "
    "the same file often answer alike: their marks are drawn around each other. Whiskers: Wilson's "
    "95 % interval for a sample of so many test images; all predict the same ones, so that changes "
    "are surer than they look (table migration). Frameworks have no file. The axis of sizes is "
    "logarithmic."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that has a file and an accuracy; low and high are of this."""
    table = migration(measurements).drop(columns=["status", "remark", *CHANGES])
    table = table.dropna(subset=[VALUE, SIZE]).reset_index(drop=True)
    counts = zip(table[VALUE] / 100 * table["compared"], table["compared"], strict=True)
    ends = [share(*pair)[1:] for pair in counts]
    return table.assign(**dict(zip(INTERVAL, np.reshape(ends, (-1, 2)).T, strict=True)))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A mark for each configuration, in a panel per case."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    runtimes = list(rows["framework"].unique())
    for name, alike in rows.groupby(["framework", "precision"], sort=False):
        framework, precision = map(str, name)
        size = SMALLEST + WIDER * (len(runtimes) - 1 - runtimes.index(framework))
        marker, _ = style.FORMS[precision]
        look: dict[str, Any] = {"ms": size, "mfc": "none", "mew": 0.9, "gid": "curve", "ls": ""}
        axes.plot(alike[SIZE], alike[VALUE], marker, color=colours[framework], **look)
        pale = style.lighter(colours[framework], PALE)
        axes.vlines(alike[SIZE], alike["low"], alike["high"], pale, lw=0.6, zorder=1)
    style.logarithmic(axes, "x", rows[SIZE])
    axes.set_ylim(_span(rows))
    axes.set_xlabel("megabytes of the file", fontsize=8)
    axes.set_ylabel("top-1 accuracy (%)", fontsize=8)
    axes.set_title(rows["case"].iloc[0])
    axes.grid(which="both")
    _explain(axes, rows, colours)


def _span(rows: pd.DataFrame) -> tuple[float, float]:
    """From the lowest to the highest end of an interval, but not less than LEAST_SPAN."""
    ends = rows[[VALUE, *INTERVAL]].to_numpy(dtype=float)
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    room = max(0.05 * (high - low), (LEAST_SPAN - (high - low)) / 2)
    return low - room, high + room


def _explain(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    """The legend: a patch of colour for each runtime, and a shape for each form."""
    titles = dict(zip(rows["framework"], cells.framework_titles(rows), strict=True))
    forms = [form for form in style.FORMS if form in set(rows["precision"])]
    handles = [Line2D([], [], color=colours[name], lw=3, label=titles[name]) for name in titles]
    handles += [
        Line2D([], [], ls="", marker=style.FORMS[form][0], mfc="none", color="black", label=form)
        for form in forms
    ]
    axes.legend(handles=handles, frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
