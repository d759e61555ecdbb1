"""What the repeats of one configuration say together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Summary:
    """Mean of n values, their standard deviation and the half width of the mean's interval.

    With one value, spread and interval are unknown (None), not zero.
    """

    n: int
    mean: float
    standard_deviation: float | None
    half_width: float | None


def summarise(values: Sequence[float]) -> Summary:
    """Summarise at least one value; the 95 % interval is Student's t with n - 1 degrees."""
    n, mean = len(values), float(np.mean(values))
    if n == 1:
        return Summary(n, mean, None, None)
    deviation = float(np.std(values, ddof=1))
    quantile = float(stats.t.ppf((1 + CONFIDENCE) / 2, df=n - 1))
    return Summary(n, mean, deviation, quantile * deviation / n**0.5)


def ratio_interval(first: Sequence[float], second: Sequence[float]) -> tuple[float, float] | None:
    """95 % confidence interval of the ratio of two positive quantities' (geometric) means.

    Welch's t interval of the difference of logarithms (Welch 1947), each side with at least two
    values; None where one has fewer. One is surely higher where it lies above 1.
    """
    if min(len(first), len(second)) < 2:
        return None
    logs = np.log(np.asarray(first)), np.log(np.asarray(second))
    difference = logs[0].mean() - logs[1].mean()
    if not (logs[0].var() or logs[1].var()):
        return float(np.exp(difference)), float(np.exp(difference))
    test = stats.ttest_ind(*logs, equal_var=False)
    interval = test.confidence_interval(CONFIDENCE)
    return float(np.exp(interval.low)), float(np.exp(interval.high))


def ranks(groups: Sequence[Sequence[float]]) -> list[int | None]:
    """Rank groups of positive values, highest first: 1 + the groups that are surely higher.

    A group with fewer than two values has none.
    """
    return [
        1 + sum(_surely_higher(other, group) for other in groups) if len(group) > 1 else None
        for group in groups
    ]


def _surely_higher(first: Sequence[float], second: Sequence[float]) -> bool:
    interval = ratio_interval(first, second)
    return interval is not None and interval[0] > 1
