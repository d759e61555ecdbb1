"""Statistics of one configuration's repeats, and of the ratio of two configurations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special, stats

CONFIDENCE = 0.95
PERMUTATIONS = 9_999  # of as many as there are, where these are more

FloatArray = npt.NDArray[np.float64]


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
    def significantly_above(self) -> bool:
        """Whether the interval is above 1."""
        return self.low is not None and self.low > 1

    @property
    def significantly_below(self) -> bool:
        """Whether the interval is below 1."""
        return self.high is not None and self.high < 1


def summarise(values: Sequence[float]) -> Summary:
    """Summarise at least one value; the 95 % interval is Student's t with n - 1 degrees.

    Not by the bootstrap, whose intervals of few values are too narrow, while those of many are
    Student's.
    """
    n, mean, median = len(values), float(np.mean(values)), float(np.median(values))
    if n == 1:
        return Summary(n, mean, median, None, None)
    # the mean of equal values may be off by rounding, and then all of them by as much
    deviation = float(np.std(values, ddof=1)) if np.ptp(values) else 0.0
    return Summary(n, mean, median, deviation, _quantile(n - 1) * deviation / n**0.5)


def ratio(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """Ratio of the (geometric) means of two groups of at least one positive value.

    The interval is Welch's t of the difference of logarithms (Welch 1947). It is that of SciPy's
    ttest_ind, which takes too long for each two of thousands of configurations.
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
    """Student's t that a value is within, of both signs, with the probability CONFIDENCE."""
    return float(special.stdtrit(degrees_of_freedom, (1 + CONFIDENCE) / 2))


def ranks(groups: Sequence[Sequence[float]]) -> list[int | None]:
    """Rank groups of positive values, highest first: 1 + the groups that are significantly higher.

    A group with fewer than two values has none.
    """
    return [
        1 + sum(bool(other) and ratio(other, group).significantly_above for other in groups)
        if len(group) > 1
        else None
        for group in groups
    ]


def share(part: float, whole: float) -> tuple[float, float, float]:
    """How many percent a part of some images is, and the ends of Wilson's 95 % interval (1927).

    The numbers may be means of repeats on the same images: the interval is that of one run's. NaN
    where there is nothing to take a part of.
    """
    if np.isnan(whole) or not round(whole):
        return (np.nan,) * 3
    counts = min(round(part), round(whole)), round(whole)
    interval = stats.binomtest(*counts).proportion_ci(CONFIDENCE, method="wilson")
    return 100 * part / whole, 100 * interval.low, 100 * interval.high


def mcnemar(gained: float, lost: float) -> float | None:
    """The probability of as many images gained or lost, or more, if both were equally likely.

    McNemar's exact test; None of NaN, 1 where no image changed.
    """
    if np.isnan(gained) or np.isnan(lost):
        return None
    changed = round(gained + lost)
    return float(stats.binomtest(round(gained), changed).pvalue) if changed else 1.0


def paired_change(gained: float, lost: float, count: float) -> tuple[float, float, float]:
    """The change of a share by the images gained and lost of all, and its 95 % interval, in points.

    The interval is the adjusted Wald interval for paired data (Bonett & Price 2012), which has a
    width where nothing changed, too. NaN of NaN.
    """
    more, fewer, size = gained + 1, lost + 1, count + 2
    middle = (more - fewer) / size
    quantile = float(stats.norm.ppf((1 + CONFIDENCE) / 2))
    half_width = quantile * float(np.sqrt(((more + fewer) / size - middle**2) / size))
    ends = middle - half_width, middle + half_width
    return 100 * (gained - lost) / count, 100 * ends[0], 100 * ends[1]


def p_value_within_blocks(groups: Sequence[Mapping[str, float]]) -> float | None:
    """The p-value of a permutation test: of the means of groups that differ by chance alone.

    It is the probability of means that differ as much, or more. A group has a value in each block,
    by the block's name; blocks that not all groups have are left out. Within each block the values
    change their groups, and the variance of the groups' means is compared. So what is common to a
    block, as a seed is, counts for nothing.
    None with fewer than two groups, of two values each, or two blocks.
    """
    several = [group for group in groups if len(group) > 1]
    blocks = sorted(set.intersection(*map(set, several))) if several else []
    if min(len(several), len(blocks)) < 2:
        return None
    samples = [[group[block] for block in blocks] for group in several]
    test = stats.permutation_test(
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
    # Equal means may differ by rounding, which would tell two permutations apart that are equal.
    rounded: FloatArray = np.round(np.var(means, axis=0), 9)
    return rounded
