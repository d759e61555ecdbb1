"""Training speed, memory and processor by batch size."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import sweeps

TITLE = "Training by batch size"
STAGES = ("train",)
ALONG = "batch_size"
X = ALONG, "images in a batch"


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    return sweeps.data(measurements, ALONG)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework, in a panel per case and quantity."""
    return sweeps.draw(data, title, note, X)
