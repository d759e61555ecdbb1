"""Median time of a training step."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import bars

TITLE = "Median time of a training step"
METRIC = "step_time_median"
STAGES = ("train",)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration."""
    return bars.data(measurements, METRIC)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case."""
    return bars.draw(data, title, note)
