"""Statistics of one configuration's repeats, and of the ratio of two configurations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # which loads scipy.stats, half a second, where it is first used

CONFIDENCE = 0.95
FEWEST_REPEATS = 3  # with two, an interval is 12.7 standard errors to either side (Student's t)
PERMUTATIONS = 9_999  # random ones, where more are possible; else all

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Summary:
    """Mean, median and standard deviation of n values, and half the width of the mean's interval.

    With one value, standard deviation and interval are unknown (None), not zero.
    """

    n: int
    mean: float
    median: float
    standard_deviation: float | None
    half_width: float | None


@dataclass(frozen=True)
class Ratio:
    """The ratio of the first group's mean to the second's, and its 95 % interval.

    The interval's ends are None where a group has fewer than two values.
    """

    ratio: float
    low: float | None
    high: float | None

    @property
    def significantly_above(self) -> bool:
        """Whether the interval is above 1."""
        return self.low is not None and self.low > 1

    @property
    def significantly_below(self) -> bool:
        """Whether the interval is below 1."""
        return self.high is not None and self.high < 1


def summarise(values: Sequence[float]) -> Summary:
    """Summarise at least one value; the 95 % interval is Student's t with n - 1 degrees.

    The bootstrap isn't used: with few values its intervals are too narrow, and with many they
    equal Student's.
    """
    n, mean, median = len(values), float(np.mean(values)), float(np.median(values))
    if n == 1:
        return Summary(n, mean, median, None, None)
    # The mean of equal values may be off by rounding, which would give a deviation above zero.
    deviation = float(np.std(values, ddof=1)) if np.ptp(values) else 0.0
    return Summary(n, mean, median, deviation, _quantile(n - 1) * deviation / n**0.5)


def ratio(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """Ratio of the (geometric) means of two groups of at least one positive value.

    The interval is Welch's t of the difference of logarithms (Welch 1947). SciPy's ttest_ind gives
    the same, but takes too long for all pairs of thousands of configurations.
    """
    logs = np.log(np.asarray(first)), np.log(np.asarray(second))
    difference = logs[0].mean() - logs[1].mean()
    value = float(np.exp(difference))
    if min(len(first), len(second)) < 2:
        return Ratio(value, None, None)
    squared_errors = np.array([group.var(ddof=1) / len(group) for group in logs])
    if not squared_errors.any():
        return Ratio(value, value, value)
    degrees = np.array([len(group) - 1 for group in logs])
    freedom = squared_errors.sum() ** 2 / (squared_errors**2 / degrees).sum()
    half_width = _quantile(freedom) * squared_errors.sum() ** 0.5
    ends = np.exp([difference - half_width, difference + half_width])
    return Ratio(value, *map(float, ends))


def _quantile(degrees_of_freedom: float) -> float:
    """The t of Student's distribution with |value| <= t at the probability CONFIDENCE."""
    return float(scipy.special.stdtrit(degrees_of_freedom, (1 + CONFIDENCE) / 2))


def ranks(groups: Sequence[Sequence[float]]) -> list[int | None]:
    """The rank of each group of positive values: 1 + the number of significantly higher groups.

    It is None for a group with fewer than two values.
    """
    return [
        1 + sum(bool(other) and ratio(other, group).significantly_above for other in groups)
        if len(group) > 1
        else None
        for group in groups
    ]


def share(part: float, whole: float) -> tuple[float, float, float]:
    """The percentage of a part of the whole images, and the ends of Wilson's 95 % interval (1927).

    The numbers may be means of repeats on the same images; the interval is that of a single run.
    All are NaN where `whole` is NaN or rounds to 0.
    """
    if np.isnan(whole) or not round(whole):
        return (np.nan,) * 3
    counts = min(round(part), round(whole)), round(whole)
    interval = scipy.stats.binomtest(*counts).proportion_ci(CONFIDENCE, method="wilson")
    return 100 * part / whole, 100 * interval.low, 100 * interval.high


def mcnemar(gained: float, lost: float) -> float | None:
    """The p-value of McNemar's exact test: that images gained and lost are equally likely.

    It is None if a number is NaN, and 1 if no image changed.
    """
    if np.isnan(gained) or np.isnan(lost):
        return None
    discordant = round(gained + lost)
    return float(scipy.stats.binomtest(round(gained), discordant).pvalue) if discordant else 1.0


def paired_change(gained: float, lost: float, count: float) -> tuple[float, float, float]:
    """The change of a share of `count` images, and its 95 % interval, in percentage points.

    The change is (gained - lost) / count. The interval is the adjusted Wald interval for paired
    data (Bonett & Price 2012), which has a width even if nothing changed. NaN gives NaN.
    """
    more, fewer, size = gained + 1, lost + 1, count + 2
    middle = (more - fewer) / size
    quantile = float(scipy.stats.norm.ppf((1 + CONFIDENCE) / 2))
    half_width = quantile * float(np.sqrt(((more + fewer) / size - middle**2) / size))
    ends = middle - half_width, middle + half_width
    return 100 * (gained - lost) / count, 100 * ends[0], 100 * ends[1]


def p_value_within_blocks(groups: Sequence[Mapping[str, float]]) -> float | None:
    """The p-value of a permutation test: that the means of groups differ by chance alone.

    It is the probability of means that differ as much, or more. A group has a value in each block,
    by the block's name; blocks that a group lacks are left out. The test permutes the values
    within each block, and compares the variance of the groups' means. So an effect common to a
    block, such as its seed's, doesn't count. None with fewer than two groups of at least two
    values, or with fewer than two blocks.
    """
    several = [group for group in groups if len(group) > 1]
    blocks = sorted(set.intersection(*map(set, several))) if several else []
    if min(len(several), len(blocks)) < 2:
        return None
    samples = [[group[block] for block in blocks] for group in several]
    test = scipy.stats.permutation_test(
        samples,
        _variance_of_means,
        permutation_type="samples",
        vectorized=True,
        alternative="greater",
        n_resamples=PERMUTATIONS,
        rng=0,
    )
    return float(test.pvalue)


def _variance_of_means(*groups: FloatArray, axis: int) -> FloatArray:
    means = [group.mean(axis=axis) for group in groups]
    # Equal means may differ by rounding, and equal permutations must have equal variances.
    rounded: FloatArray = np.round(np.var(means, axis=0), 9)
    return rounded
