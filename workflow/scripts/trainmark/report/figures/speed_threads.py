"""Training speed, memory and processor by the number of threads."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import sweeps

TITLE = "Training by number of threads"
STAGES = ("train",)
ALONG = "thread_count"
X = ALONG, "threads"


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    return sweeps.data(measurements, ALONG)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework, in a panel per case and quantity."""
    return sweeps.draw(data, title, note, X)
