"""Statistics with answers from a textbook's table."""

import numpy
import pytest
from scipy import stats

from trainmark.analyse.compare.statistics import (
    Ratio,
    Summary,
    paired_change,
    ranks,
    ratio,
    summarise,
)


def test_three_values_give_students_interval_with_two_degrees_of_freedom():
    summary = summarise([9.0, 10.0, 11.0])
    assert (summary.n, summary.mean, summary.standard_deviation) == (3, 10.0, 1.0)
    assert summary.median == 10.0
    assert summary.half_width == pytest.approx(4.3027 / 3**0.5, abs=1e-4)


def test_one_value_has_no_interval():
    assert summarise([7.0]) == Summary(1, 7.0, 7.0, None, None)


def test_equal_values_have_an_interval_of_no_width():
    assert summarise([5.0, 5.0]) == Summary(2, 5.0, 5.0, 0.0, 0.0)
    assert numpy.mean([0.1] * 3) > 0.1  # by rounding
    assert summarise([0.1] * 3).half_width == 0


def test_a_ratio_is_distinguished_from_one_only_where_the_spread_is_small():
    doubled = ratio([200.0, 202.0, 198.0], [100.0, 101.0, 99.0])
    assert 1.9 < doubled.low < doubled.ratio < doubled.high < 2.1
    assert doubled.significantly_above and not doubled.significantly_below
    wide = ratio([100.0, 140.0, 60.0], [90.0, 130.0, 50.0])
    assert wide.low < 1 < wide.high
    assert not (wide.significantly_above or wide.significantly_below)


@pytest.mark.parametrize(("n_first", "n_second"), [(2, 2), (3, 25), (40, 5)])
def test_a_ratio_has_the_interval_of_scipys_test_of_welch(n_first, n_second):
    dice = numpy.random.default_rng(11)
    first, second = dice.normal(50, 2, n_first), dice.normal(40, 7, n_second)
    test = stats.ttest_ind(numpy.log(first), numpy.log(second), equal_var=False)
    expected = numpy.exp(test.confidence_interval(0.95))
    interval = ratio(first, second)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), rel=1e-12)


def test_a_ratio_of_identical_repeats_is_exact():
    assert vars(ratio([3.0, 3.0], [2.0, 2.0])) == pytest.approx(vars(Ratio(1.5, 1.5, 1.5)))


def test_a_ratio_of_single_values_has_no_interval_and_is_never_sure():
    lonely = ratio([3.0], [2.0, 2.0])
    assert (lonely.low, lonely.high) == (None, None)
    assert lonely.ratio == pytest.approx(1.5)
    assert not (lonely.significantly_above or lonely.significantly_below)


@pytest.mark.parametrize("n", [3, 5, 20])
def test_intervals_of_skewed_values_have_their_nominal_coverage(n):
    """Ratio of two samples of one skewed distribution: 1 lies in its interval in 95 of 100.

    In at least 93 of 100, as far as a thousand draws can tell; and not always, so the intervals
    aren't much too wide either.
    """
    dice = numpy.random.default_rng(7)
    drawn = 100 - dice.gamma(2.0, 2.0, size=(1000, 2, n))  # fast, with slow ones now and then
    ratios = [ratio(first, second) for first, second in drawn]
    distinguished = sum(one.significantly_above or one.significantly_below for one in ratios)
    assert 10 <= distinguished <= 70


def test_groups_that_cannot_be_distinguished_share_a_rank():
    slow, fast, about_as_fast = [10.0, 10.1, 9.9], [20.0, 20.4, 19.6], [20.1, 20.5, 19.8]
    assert ranks([slow, fast, about_as_fast]) == [3, 1, 1]


def test_a_single_value_has_no_rank():
    assert ranks([[10.0], [20.0, 20.1]]) == [None, 1]


def test_intervals_of_paired_changes_have_their_nominal_coverage():
    """Of a change of -2 points, where few images change, as between forms of a network."""
    dice = numpy.random.default_rng(7)
    drawn = dice.multinomial(500, [0.01, 0.03, 0.96], size=1000)
    intervals = [paired_change(gained, lost, 500) for gained, lost, _ in drawn]
    assert 930 <= sum(low <= -2 <= high for _, low, high in intervals) <= 980
