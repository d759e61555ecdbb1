"""Accuracy while training goes on: a curve for each run, in a panel per case."""

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import curves
from trainmark.report.figures import Functions

NOTE = (
    f"{curves.EACH_RUN}: accuracy on the test split, in a training that follows the timed one and "
    "is like it. Where one isn't seen, it lies behind another."
)


def figure(value: str, x: str, x_title: str, **_facts: Any) -> Functions:
    """The functions of a figure of accuracies (column `value`) over a column."""
    return Functions(partial(_data, value), partial(_draw, value, x, x_title))


def _data(value: str, accuracies: pd.DataFrame) -> pd.DataFrame:
    """One row per evaluation of a run that has any."""
    measured = accuracies.dropna(subset=value).drop(columns="absent")
    return curves.with_labels(curves.of_first_runs(measured).astype({"steps": int}))


def _draw(
    value: str, x: str, x_title: str, data: pd.DataFrame, title: str, note: str = ""
) -> Figure:
    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        curves.runs(axes, rows, colours, x, value, marker="o", ms=2.5)
        axes.set_xlim(left=0)
        axes.set_ylim(top=min(100.0, axes.get_ylim()[1]))
        curves.finish(axes, rows, x=x_title, y="top-1 accuracy (%)")

    return curves.panels(data, title, f"{NOTE}\n{note}", panel)


accuracy_seconds = figure(
    title="Accuracy by training time",
    source="accuracies",
    stages=("train",),
    setting="evaluate_every",
    value="top1",
    x="seconds",
    x_title="seconds of training, without evaluations",
)
accuracy_steps = figure(
    title="Accuracy by training steps",
    source="accuracies",
    stages=("train",),
    setting="evaluate_every",
    value="top1",
    x="steps",
    x_title="training steps",
)
