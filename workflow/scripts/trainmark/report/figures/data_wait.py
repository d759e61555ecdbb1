"""Share of the window that each framework waits for its own input pipeline."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import bars

TITLE = "Share of the window spent waiting for input"
METRIC = "data_wait"
STAGES = ("train",)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration."""
    return bars.data(measurements, METRIC)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case."""
    return bars.draw(data, title, note)
