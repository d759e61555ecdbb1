"""Median latency of each framework and runtime, in each form of the same trained network."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.trained.migration import with_trained_weights
from trainmark.report.charts import panels
from trainmark.report.draw import curves, style
from trainmark.report.words import cells

TITLE = "Latency by runtime and form, on this PC"
METRIC = "latency_p50"
STAGES = ("infer",)
SETTING = "trained_by"
ROW_INCHES, CASE_INCHES = 0.26, 1.25
ABOVE_LEGEND = 20  # points
NOTE = (
    "Points: the median time of a call, the mean of all runs; whiskers: its 95 % "
    "confidence interval (Student's t), none where n = 1. The axis is logarithmic. What has no "
    "point has no value: the table migration says why."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in each case the framework with the fastest form first."""
    table = panels.data(with_trained_weights(measurements), METRIC)
    others = [name for name in cells.varying(table) if name != "precision"]
    return table.assign(label=cells.titles(table, others))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A row of points for each framework, in a panel per case."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel, _inches)


def _inches(rows: pd.DataFrame) -> float:
    return CASE_INCHES + ROW_INCHES * rows["label"].nunique()


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    names = list(rows["label"].unique())
    present = [form for form in style.FORMS if form in set(rows["precision"])]
    for number, form in enumerate(present):
        marker, colour = style.FORMS[form]
        shift = 0.5 * ((number + 0.5) / len(present) - 0.5)  # so that none hides another
        of_form = rows[rows["precision"] == form].dropna(subset="mean")
        positions = [names.index(label) + shift for label in of_form["label"]]
        look: dict[str, Any] = {"color": colour, "zorder": 3}
        axes.plot(of_form["mean"], positions, marker, ms=4.5, ls="", gid="row", label=form, **look)
        ends = of_form["mean"] - of_form["half_width"], of_form["mean"] + of_form["half_width"]
        axes.hlines(positions, *ends, colour, lw=1)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_title(rows["case"].iloc[0], pad=ABOVE_LEGEND)
    if rows["n"].any():
        style.logarithmic(axes, "x", rows["mean"].dropna().astype(float))
        axes.set_xlabel("median milliseconds of a call, logarithmic", fontsize=8, loc="left")
        axes.grid(axis="both")
        look = {"frameon": False, "fontsize": 7, "columnspacing": 0.8, "handletextpad": 0.1}
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(present), **look)
