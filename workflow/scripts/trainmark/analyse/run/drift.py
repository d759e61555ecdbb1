"""Drift: whether steps became slower or faster within the window."""

import numpy as np
import scipy

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.spans import of_spans
from trainmark.analyse.run.steps import step_seconds

SPANS = 20  # parts of the window; their median step times are compared
FEWEST_STEPS = 2 * SPANS
SIGNIFICANCE_LEVEL = 0.01  # one in a hundred windows without drift has such a trend
NOTABLE_PERCENT = 5.0


def drift_percent(run: Run) -> float:
    """The change of the median step time from the window's first to its last third, in percent.

    It is positive if steps became slower. Raises Absent without step times.
    """
    seconds = step_seconds(run)
    third = -(-len(seconds) // 3)
    return float(100 * (np.median(seconds[-third:]) / np.median(seconds[:third]) - 1))


def has_drift(run: Run) -> bool:
    """Whether step times have a trend in the window, significant (Kendall's tau) and notable."""
    seconds = step_seconds(run)
    if len(seconds) < FEWEST_STEPS or abs(drift_percent(run)) < NOTABLE_PERCENT:
        return False
    medians = of_spans(np.median, seconds, SPANS)
    return bool(scipy.stats.kendalltau(range(SPANS), medians).pvalue < SIGNIFICANCE_LEVEL)
