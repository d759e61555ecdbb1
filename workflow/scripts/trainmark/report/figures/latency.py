"""Median time of a call of each framework, each of them waited for."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import bars

TITLE = "Latency (median)"
METRIC = "latency_p50"
STAGES = ("infer", "gradients")


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration."""
    return bars.data(measurements, METRIC)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case."""
    return bars.draw(data, title, note)
