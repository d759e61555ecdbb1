"""Percentiles of a run's calls or steps, and how many of these they take."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy

from trainmark.analyse.run.recording import Absent

LEVEL = 0.95


def percentile(values: np.ndarray, percent: float, what: str) -> float:
    """A percentile of values (n,), interpolated linearly between the nearest.

    Raises Absent where too few values bound it. `what` they are in the reason: "calls".
    """
    if len(values) < fewest(percent):
        raise Absent(
            f"{len(values)} {what} bound no {percent:g}th percentile; it takes {fewest(percent)}"
        )
    return float(np.percentile(values, percent))


def interval(values: np.ndarray, percent: float) -> tuple[float, float]:
    """The 95 % interval of a percentile by ranks, without assumptions on the distribution.

    NaN where too few values bound it. Source: Conover 1999, Practical Nonparametric Statistics,
    3.2.
    """
    test = scipy.stats.quantile_test(values, p=percent / 100)
    ends: Any = test.confidence_interval(LEVEL)
    return float(ends.low), float(ends.high)


def fewest(percent: float) -> int:
    """The least n for which the largest of n values bounds a percentile (50 or more) that surely.

    Each value is below it with a probability of `percent` / 100.
    """
    return math.ceil(math.log((1 - LEVEL) / 2) / math.log(percent / 100))


def needed(percents: Iterable[float]) -> str:
    """How many calls each of some percentiles takes, for notes of tables."""
    return ", ".join(f"{fewest(percent)} calls (p{percent:g})" for percent in percents)
