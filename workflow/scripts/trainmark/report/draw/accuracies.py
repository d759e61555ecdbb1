"""Accuracy while training goes on: a curve for each run, in a panel per case."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import bars, curves

VALUE = "top1"
PANEL_INCHES = 3.4
NOTE = (
    f"{curves.EACH_RUN}: accuracy on the test split, in a training that follows the timed one and "
    "is like it. Where one isn't seen, it lies behind another."
)


def data(accuracies: pd.DataFrame) -> pd.DataFrame:
    """One row per evaluation of a run that has any."""
    measured = accuracies.dropna(subset=VALUE).drop(columns="absent")
    return curves.named(curves.of_first_runs(measured).astype({"steps": int}))


def draw(data: pd.DataFrame, title: str, note: str, x: str, x_title: str) -> Figure:
    """Curves over the column `x`; the lines of `note` are added to what explains them."""

    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        curves.runs(axes, rows, colours, x=x, y=VALUE)
        axes.set_xlim(left=0)
        axes.set_ylim(top=min(100.0, axes.get_ylim()[1]))
        curves.finish(axes, rows, x=x_title, y="top-1 accuracy (%)")

    return bars.panels(data, title, f"{NOTE}\n{note}", panel, lambda rows: PANEL_INCHES)
