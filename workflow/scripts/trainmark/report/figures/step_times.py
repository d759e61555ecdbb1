"""Step times over the window, run by run."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import bars, curves
from trainmark.report.words import cells

TITLE = "Step times over the window"
SOURCE = "steps"
STAGES = ("train",)
VALUE = "milliseconds"
PANEL_INCHES, EMPTY_INCHES = 3.2, 1.6
NOTE = (
    f"{curves.EACH_RUN}: the median step time of each hundredth of its window. A run has no "
    "line where its framework queues the steps, or where they are too few to show whether it does. "
    "The axis ends at 1.3 times the 99th percentile: higher peaks are cut off."
)


def data(steps: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve, or per run that has none, with the reason."""
    table = curves.of_first_runs(steps)
    table.insert(0, "label", cells.labels(table))
    return table


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Curves in one panel per case."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel, _inches)


def _inches(rows: pd.DataFrame) -> float:
    return PANEL_INCHES if rows["milliseconds"].any() else EMPTY_INCHES


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    axes.set_title(rows["case"].iloc[0])
    timed = rows.dropna(subset="milliseconds")
    if timed.empty:
        bars.write_reason(axes, f"No run has step times: {cells.commonest(rows['absent'])}.", 0.5)
        axes.set(xticks=[], yticks=[])
    else:
        _curves(axes, timed, colours)


def _curves(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    curves.runs(axes, rows, colours, "end_seconds", "milliseconds", lw=0.8)
    axes.set_ylim(0, 1.3 * float(np.percentile(rows["milliseconds"], 99)))
    axes.set_xlabel("seconds since the window's start", fontsize=8, loc="left")
    axes.set_ylabel("ms", fontsize=8)
    axes.grid()
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
