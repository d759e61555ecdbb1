"""Inference speed of each framework, in images per second, its calls not waited for one by one."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import bars

TITLE = "Inference speed"
METRIC = "inference_speed"
STAGES = ("infer",)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration."""
    return bars.data(measurements, METRIC)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Bars in one panel per case."""
    return bars.draw(data, title, note)
