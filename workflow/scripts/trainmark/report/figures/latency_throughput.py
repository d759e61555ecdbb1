"""Throughput of prediction by its latency, from one batch size to the next."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.along.batches import by_batch
from trainmark.report.draw import curves

TITLE = "Latency and throughput"
STAGES = ("infer",)
ALONG = "batch_size"
VALUE = "speed"
X, Y = ("latency", "median latency (ms)"), (VALUE, "images/s of queued calls")
NOTE = "Points: means over the runs, one for each batch size. Both axes are logarithmic."


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    return curves.named(by_batch(measurements), x=ALONG)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework, device and precision, in a panel per case."""
    return curves.points(data, title, f"{NOTE}\n{note}", X, Y)
