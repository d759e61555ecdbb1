"""Integrating a sampled quantity over time."""

import numpy as np
import pandas as pd


def integral(series: pd.Series) -> float:
    """Area under a series indexed by seconds, by the trapezoidal rule."""
    return float(np.trapezoid(series.to_numpy(), series.index.to_numpy()))
