"""Median latency of prediction by batch size."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.across.batches import by_batch
from trainmark.report.show import cells, curves

TITLE = "Latency by batch size"
STAGES = ("infer",)
VALUE = "latency"
NOTE = "Points: means over the runs, one for each batch size. Both axes are logarithmic."


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point."""
    table = by_batch(measurements)
    table.insert(0, "label", curves.labels(table, besides=("batch_size", "stage")))
    return table


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework, device and precision, in a panel per case."""
    marks = f" {cells.DISTURBED}" if data["disturbed"].any() else ""
    return curves.panels(data, title, f"{NOTE}{marks}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    curves.plot(axes, rows, colours, x="batch_size", y="latency")
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:,.10g}")
    axes.set_yscale("log")
    curves.finish(axes, rows, x="images in a batch", y="median latency (ms)")
