"""Training speed of each framework, in images per second."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import bars

TITLE = "Training speed"
METRIC = "training_speed"
STAGES = ("train",)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration."""
    return bars.data(measurements, METRIC)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case."""
    return bars.draw(data, title, note)
