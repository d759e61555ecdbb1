"""Median latency of prediction by batch size."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.along.batches import by_batch
from trainmark.report.draw import curves

TITLE = "Latency by batch size"
STAGES = ("infer",)
ALONG = "batch_size"
VALUE = "latency"
X, Y = (ALONG, "images in a batch"), (VALUE, "median latency (ms)")
NOTE = "Points: means over the runs, one for each batch size. Both axes are logarithmic."


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    return curves.named(by_batch(measurements), x=ALONG)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework, device and precision, in a panel per case."""
    return curves.points(data, title, f"{NOTE}\n{note}", X, Y)
