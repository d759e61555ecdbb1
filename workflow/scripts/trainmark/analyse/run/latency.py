"""The latency of calls that were waited for one by one, and what so many of them can tell."""

import math

import numpy as np

from trainmark.analyse.run.recording import Absent, Run

LEVEL = 0.95


def milliseconds(run: Run) -> np.ndarray:
    """Each call's milliseconds, float64 (calls,); raises Absent where no call was waited for."""
    if "latency" not in run.events and run.job["stage"] == "train":
        raise Absent("latency_steps asks for no steps that are waited for")
    return 1000 * np.array(run.event("latency")["call_seconds"])


def percentile(run: Run, percent: float) -> float:
    """A percentile of the calls' milliseconds; raises Absent for too few calls to bound it."""
    found, needed = milliseconds(run), fewest(percent)
    if len(found) < needed:
        raise Absent(f"{len(found)} calls bound no {percent:g}th percentile; it takes {needed}")
    return float(np.percentile(found, percent))


def fewest(percent: float) -> int:
    """The fewest calls whose largest is above a percentile (from 50 on) with enough certainty.

    Without assumptions on their distribution: each call is below it with that probability.
    """
    return math.ceil(math.log((1 - LEVEL) / 2) / math.log(percent / 100))
