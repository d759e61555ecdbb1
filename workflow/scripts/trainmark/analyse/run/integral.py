"""Integrating a sampled quantity over time."""

import numpy as np
import pandas as pd

from trainmark.analyse.run.recording import LONGEST_GAP_SECONDS, Absent


def integral(series: pd.Series) -> float:
    """Area under a series indexed by seconds, by the trapezoidal rule.

    Raises Absent where a gap between two samples is too long to be bridged.
    """
    times = series.index.to_numpy()
    longest = float(np.diff(times).max())
    if longest > LONGEST_GAP_SECONDS:
        raise Absent(f"{series.name} was not read for {longest:.1f} s of the window")
    return float(np.trapezoid(series.to_numpy(), times))


def rise(counter: pd.Series) -> float:
    """How far a cumulative counter rose; raises Absent where it went back, so was reset."""
    if (np.diff(counter.to_numpy()) < 0).any():
        raise Absent(f"{counter.name} was reset in the window")
    return float(counter.iloc[-1] - counter.iloc[0])
