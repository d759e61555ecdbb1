"""Losses while training goes on: a curve for each run, in a panel per case and its settings."""

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import bars, curves
from trainmark.report.figures import Functions
from trainmark.report.words import cells
from trainmark.study.axes import VARIANTS

EMPTY_INCHES = 1.6
NARROWEST = 0.9  # points: of the last framework's lines
ABOVE = 2.0  # times where curves begin: what diverges is cut off there
NOTE = (
    f"{curves.EACH_RUN}: the mean loss of each fiftieth of its window. What is more than twice "
    "the loss at the beginning is cut off."
)


def figure(x: str, x_title: str, note: str, wider: float = 0.0, **_facts: Any) -> Functions:
    """The functions of a figure of losses over a column.

    Each framework's lines are `wider` (points) than those of the next one, which lie on them.
    """
    return Functions(_data, partial(_draw, x, x_title, f"{NOTE}\n{note}", wider))


def _data(losses: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve, or per run that has none, with the reason."""
    return curves.with_labels(curves.of_first_runs(losses), by=VARIANTS)


def _draw(
    x: str, x_title: str, notes: str, wider: float, data: pd.DataFrame, title: str, note: str = ""
) -> Figure:
    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        valued = rows.dropna(subset="loss")
        if valued.empty:
            bars.write_reason(axes, f"No run has losses: {cells.commonest(rows['absent'])}.", 0.5)
            axes.set(xticks=[], yticks=[], title=rows["panel"].iloc[0])
            return
        _curves(axes, valued, colours, x, wider)
        curves.finish(axes, valued, x_title, "mean loss")

    return curves.panels(data, title, f"{notes}\n{note}", panel, _inches)


def _inches(rows: pd.DataFrame) -> float:
    return curves.PANEL_INCHES if rows["loss"].notna().any() else EMPTY_INCHES


def _curves(axes: Axes, rows: pd.DataFrame, colours: dict[str, str], x: str, wider: float) -> None:
    groups = rows.groupby("label", sort=False)
    for index, (label, runs) in enumerate(groups, start=1):
        width = NARROWEST + wider * (groups.ngroups - index)
        line: dict[str, Any] = dict(color=colours[runs["framework"].iloc[0]], lw=width)
        axes.plot([], [], label=str(label), **line)
        for _, run in runs.groupby("repeat"):
            axes.plot(run[x], run["loss"], marker="o", ms=width, gid="curve", **line)
    first = rows.groupby(["label", "repeat"])["loss"].first().median()
    axes.set_xlim(left=0)
    axes.set_ylim(0, min(1.05 * rows["loss"].max(), ABOVE * first))


learning_curve = figure(
    title="Learning curves",
    source="losses",
    stages=("train",),
    value="loss",
    x="steps",
    x_title="steps trained, warm-up included",
    note="Frameworks that do equal work have the same losses, and their lines lie on each other. "
    "Each framework's line is drawn wider than the next one's, so that its edges stay visible.",
    wider=1.0,
)
learning_time = figure(
    title="Learning over time",
    source="losses",
    stages=("train",),
    value="loss",
    x="seconds",
    x_title="seconds of training, warm-up included",
    note="Seconds are as if all steps of a window had taken the same time.",
)
