"""The distribution of latencies: every call that was waited for, as a cumulative curve."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.latencies import of_configurations
from trainmark.report.draw import curves, style

TITLE = "Distribution of latencies"
SOURCE = "latencies"
STAGES = ("infer", "gradients")
VALUE = "percent"
NOTE = (
    "Each call of all runs of a configuration is a step of its curve: the percent of calls that "
    "took no longer."
)


def data(latencies: pd.DataFrame) -> pd.DataFrame:
    """One row per call, the fastest of each configuration first."""
    table = curves.with_labels(of_configurations(latencies), by=("stage", "batch_size"))
    valued = table[table["n"] > 0].drop(columns=["remark", "first_milliseconds"])
    calls = valued.assign(milliseconds=valued["milliseconds"].map(np.sort))
    points = calls.explode("milliseconds", ignore_index=True).astype({"milliseconds": float})
    groups = points.groupby(["panel", "label"], sort=False)["milliseconds"]
    return points.assign(percent=100 * (groups.cumcount() + 1) / groups.transform("size"))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each configuration, in a panel per case, stage and batch."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    curves.steps(axes, rows, colours, x="milliseconds", y="percent")
    style.logarithmic(axes, "x", rows["milliseconds"])
    axes.set_ylim(0, 100)
    curves.finish(axes, rows, x="milliseconds of a call", y="% of the calls")
