"""Statistics with answers from a textbook's table."""

import pytest

from trainmark.analyse.statistics import Summary, ranks, ratio_interval, summarise


def test_three_values_give_students_interval_with_two_degrees_of_freedom():
    summary = summarise([9.0, 10.0, 11.0])
    assert (summary.n, summary.mean, summary.standard_deviation) == (3, 10.0, 1.0)
    assert summary.half_width == pytest.approx(4.3027 / 3**0.5, abs=1e-4)


def test_one_value_has_no_interval():
    assert summarise([7.0]) == Summary(1, 7.0, None, None)


def test_equal_values_have_an_interval_of_no_width():
    assert summarise([5.0, 5.0]) == Summary(2, 5.0, 0.0, 0.0)


def test_a_ratio_is_told_from_one_only_where_the_spread_is_small():
    low, high = ratio_interval([200.0, 202.0, 198.0], [100.0, 101.0, 99.0])
    assert 1.9 < low < 2.0 < high < 2.1
    low, high = ratio_interval([100.0, 140.0, 60.0], [90.0, 130.0, 50.0])
    assert low < 1 < high


def test_a_ratio_of_identical_repeats_is_exact():
    assert ratio_interval([3.0, 3.0], [2.0, 2.0]) == pytest.approx((1.5, 1.5))


def test_a_ratio_needs_two_values_on_each_side():
    assert ratio_interval([3.0], [2.0, 2.1]) is None


def test_groups_that_cannot_be_told_apart_share_a_rank():
    slow, fast, about_as_fast = [10.0, 10.1, 9.9], [20.0, 20.4, 19.6], [20.1, 20.5, 19.8]
    assert ranks([slow, fast, about_as_fast]) == [3, 1, 1]


def test_a_single_value_has_no_rank():
    assert ranks([[10.0], [20.0, 20.1]]) == [None, 1]
