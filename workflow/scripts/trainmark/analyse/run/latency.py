"""The latency of calls that were waited for one by one, and what so many of them can tell."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import stats

from trainmark.analyse.run.recording import Absent, Run

LEVEL = 0.95


def milliseconds(run: Run) -> np.ndarray:
    """Each call's milliseconds, float64 (calls,); raises Absent where no call was waited for."""
    if run.job["stage"] == "train" and not run.job["latency_steps"]:
        raise Absent("the case asks for no latency_steps, which are waited for one by one")
    return 1000 * np.array(run.event("latency")["call_seconds"])


def percentile(run: Run, percent: float) -> float:
    """A percentile of the calls' milliseconds; raises Absent for too few calls to bound it."""
    found, needed = milliseconds(run), fewest(percent)
    if len(found) < needed:
        raise Absent(f"{len(found)} calls bound no {percent:g}th percentile; it takes {needed}")
    return float(np.percentile(found, percent))


def interval(calls: np.ndarray, percent: float) -> tuple[float, float]:
    """The 95 % interval of a percentile by ranks, without assumptions on the distribution.

    NaN where too few calls bound it. Source: Conover 1999, Practical Nonparametric Statistics, 3.2.
    """
    found: Any = stats.quantile_test(calls, p=percent / 100).confidence_interval(LEVEL)
    return float(found.low), float(found.high)


def fewest(percent: float) -> int:
    """The fewest calls of which the slowest bounds a percentile (from 50 on) with that certainty.

    Each call is faster than it with a probability of `percent` / 100.
    """
    return math.ceil(math.log((1 - LEVEL) / 2) / math.log(percent / 100))


def needed(percents: Iterable[float]) -> str:
    """How many calls each of some percentiles takes, for notes of tables."""
    return ", ".join(f"{fewest(percent)} calls (p{percent:g})" for percent in percents)
