"""Curves of what was learnt, in a panel for each case and its settings."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import bars, curves
from trainmark.report.words import cells
from trainmark.study.axes import VARIANTS

EMPTY_INCHES = 1.6
NARROWEST = 0.9  # points: of the last framework's lines
ABOVE = 2.0  # times where curves begin: what diverges is cut off there
NOTE = (
    f"{curves.EACH_RUN}: the mean loss of each fiftieth of its window. What is more than twice "
    "the loss at the beginning is cut off."
)


def data(losses: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve, or per run that has none, with the reason."""
    return curves.named(curves.of_first_runs(losses), by=VARIANTS)


def draw(
    data: pd.DataFrame, title: str, note: str, x: tuple[str, str], wider: float = 0.0
) -> Figure:
    """Curves over a column; `x` is that column and its title.

    Each framework's lines are `wider` than those of the next one, which lie on them.
    """

    def panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
        known = rows.dropna(subset="loss")
        if known.empty:
            bars.write_reason(axes, f"No run has losses: {cells.commonest(rows['absent'])}.", 0.5)
            axes.set(xticks=[], yticks=[], title=rows["panel"].iloc[0])
            return
        _curves(axes, known, colours, x[0], wider)
        curves.finish(axes, known, x[1], "mean loss")

    return bars.panels(data, title, f"{NOTE}\n{note}", panel, _inches)


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
