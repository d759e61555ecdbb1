"""Achieved arithmetic by arithmetic intensity, under the limits that were measured."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.along.roofline import INTENSITY, OPERATIONS, roofline
from trainmark.report.draw import curves, points, style
from worker import precisions

TITLE = "Achieved arithmetic"
STAGES = ("train", "gradients", "infer", "attack")
NOTE = (
    f"A point for each configuration, a dashed line at the best of them. {OPERATIONS} {INTENSITY} "
    "Both axes are logarithmic."
)
LIMITS = (
    "The line above: the most that copies in memory before the runs and products of matrices were "
    "seen to do; where no products were measured in the precision, the slope of memory up to the "
    "dashed line; in 16 bits, half the bytes move. What stays in caches can pass the slope, that "
    "of copies, and Winograd's algorithm the peak."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point, by machine, device and precision."""
    return points.labelled(roofline(measurements).dropna(subset=["mean", "intensity"]))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A panel for each machine, device and precision."""
    limits = f" {LIMITS}" if data[["bandwidth", "peak"]].notna().any(axis=None) else ""
    return points.panels(data, title, f"{NOTE}{limits}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    points.plot(axes, rows, colours, "intensity", "mean")
    axes.axhline(rows["best"].iloc[0], color=style.QUIET_COLOUR, lw=0.8, ls="--")
    roof = _roof(rows)
    axes.plot(roof.index, roof, color=style.QUIET_COLOUR, lw=1.2)
    style.logarithmic(axes, "x", rows["intensity"])
    style.logarithmic(axes, "y", pd.concat([rows["mean"], roof]))
    curves.finish(axes, rows, "FLOP/byte", "GFLOP/s")


def _roof(rows: pd.DataFrame) -> pd.Series:
    """Bandwidth times intensity up to the peak, by intensity; empty where neither is known.

    Without a bandwidth it is the peak alone; without a peak, it ends at the best of the points.
    """
    lowest, highest = rows["intensity"].min(), rows["intensity"].max()
    intensities = pd.Index(np.geomspace(lowest / 1.5, 1.5 * highest, 100))
    per_byte = 2 if rows["precision"].iloc[0] in precisions.HALF else 1
    slope = pd.Series(per_byte * rows["bandwidth"].max() * intensities, index=intensities)
    peak = rows["peak"].max()
    if pd.isna(peak):
        return slope.dropna().clip(upper=rows["best"].iloc[0])
    return slope.fillna(np.inf).clip(upper=peak)
