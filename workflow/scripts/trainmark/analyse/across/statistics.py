"""Statistics of one configuration's repeats, and of the ratio of two configurations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Summary:
    """Mean and median of n values, their standard deviation, half the width of the mean's interval.

    With one value, spread and interval are unknown (None), not zero.
    """

    n: int
    mean: float
    median: float
    standard_deviation: float | None
    half_width: float | None


@dataclass(frozen=True)
class Ratio:
    """How many times the second group the first is, and the 95 % interval of that.

    The interval's ends are None where a group has fewer than two values.
    """

    value: float
    low: float | None
    high: float | None

    @property
    def surely_above(self) -> bool:
        """Whether the first group is higher, as far as the interval tells."""
        return self.low is not None and self.low > 1

    @property
    def surely_below(self) -> bool:
        """Whether the first group is lower, as far as the interval tells."""
        return self.high is not None and self.high < 1


def summarise(values: Sequence[float]) -> Summary:
    """Summarise at least one value; the 95 % interval is Student's t with n - 1 degrees.

    Not by the bootstrap, whose intervals of few values are too narrow, while those of many are
    Student's.
    """
    n, mean, median = len(values), float(np.mean(values)), float(np.median(values))
    if n == 1:
        return Summary(n, mean, median, None, None)
    deviation = float(np.std(values, ddof=1))
    quantile = float(stats.t.ppf((1 + CONFIDENCE) / 2, df=n - 1))
    return Summary(n, mean, median, deviation, quantile * deviation / n**0.5)


def ratio(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """Ratio of the (geometric) means of two groups of at least one positive value.

    The interval is Welch's t of the difference of logarithms (Welch 1947).
    """
    logs = np.log(np.asarray(first)), np.log(np.asarray(second))
    value = float(np.exp(logs[0].mean() - logs[1].mean()))
    if min(len(first), len(second)) < 2:
        return Ratio(value, None, None)
    if not (logs[0].var() or logs[1].var()):
        return Ratio(value, value, value)
    test = stats.ttest_ind(*logs, equal_var=False)
    interval = test.confidence_interval(CONFIDENCE)
    return Ratio(value, float(np.exp(interval.low)), float(np.exp(interval.high)))


def ranks(groups: Sequence[Sequence[float]]) -> list[int | None]:
    """Rank groups of positive values, highest first: 1 + the groups that are surely higher.

    A group with fewer than two values has none.
    """
    return [
        1 + sum(bool(other) and ratio(other, group).surely_above for other in groups)
        if len(group) > 1
        else None
        for group in groups
    ]


def mcnemar(gained: float, lost: float) -> float | None:
    """The probability of as many images gained or lost, or more, if both were equally likely.

    McNemar's exact test; None where nothing is known (NaN), 1 where no image changed.
    """
    if np.isnan(gained) or np.isnan(lost):
        return None
    changed = round(gained + lost)
    return float(stats.binomtest(round(gained), changed).pvalue) if changed else 1.0


def paired_change(gained: float, lost: float, count: float) -> tuple[float, float, float]:
    """The change of a share by the images gained and lost of all, and its 95 % interval, in points.

    The interval is the adjusted Wald interval for paired data (Bonett & Price 2012), which has a
    width where nothing changed, too. NaN where nothing is known.
    """
    more, fewer, size = gained + 1, lost + 1, count + 2
    middle = (more - fewer) / size
    quantile = float(stats.norm.ppf((1 + CONFIDENCE) / 2))
    half_width = quantile * float(np.sqrt(((more + fewer) / size - middle**2) / size))
    ends = middle - half_width, middle + half_width
    return 100 * (gained - lost) / count, 100 * ends[0], 100 * ends[1]


def same_origin(groups: Sequence[Sequence[float]]) -> float | None:
    """The probability of groups that differ as much, or more, if all came from one distribution.

    The test of Kruskal and Wallis, for which values need no distribution of any kind. None with
    fewer than two groups of two values; 1 where all values are equal.
    """
    several = [group for group in groups if len(group) > 1]
    if len(several) < 2:
        return None
    if len({value for group in several for value in group}) == 1:
        return 1.0
    return float(stats.kruskal(*several).pvalue)
