"""Numbers and stamps as logs write them."""

import re
from datetime import datetime
from math import inf, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainmark.runs.logs.statements import COUNT, NO_YEAR, NUMBER, number, stamp


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12.0),
        ("12.", 12.0),
        ("-0.00000000", 0.0),
        ("6.9078e+00", 6.9078),
        ("4.6875e-005", 4.6875e-5),
        ("inf", inf),
        ("-inf", -inf),
        ("1.#INF", inf),
        ("-1.#INF00", -inf),
    ],
)
def test_numbers(text, value):
    assert re.fullmatch(NUMBER, text)
    assert number(text) == value


@pytest.mark.parametrize("text", ["nan", "-nan", "1.#QNAN000", "-1.#IND"])
def test_what_is_not_a_number(text):
    assert re.fullmatch(NUMBER, text)
    assert isnan(number(text))


@given(st.text(alphabet="0123456789.#+-eEnaifINFQ", max_size=30))
def test_whatever_is_found_is_a_number(text):
    matched = re.match(NUMBER, text)
    assert matched is None or isinstance(number(matched[1]), float)


def test_a_count_of_too_many_digits_is_none():
    assert re.fullmatch(COUNT, "9" * 13) is None


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("2016-08-19 15:17:56,780 Node[0] Epoch[0]", datetime(2016, 8, 19, 15, 17, 56, 780_000)),
        ("2020-09-29T09:54:26.123456 INFO", datetime(2020, 9, 29, 9, 54, 26, 123_456)),
        ("I0919 14:15:27.775955 1401 x.py:35] ", datetime(NO_YEAR, 9, 19, 14, 15, 27, 775_955)),
        ("  I0229 00:00:00.000001 1 x.py:1] ", datetime(NO_YEAR, 2, 29, 0, 0, 0, 1)),
        ("W20240229 00:00:00.000001 1 x.py:1] ", datetime(2024, 2, 29, 0, 0, 0, 1)),
        ("05:58:36,128 Epoch[99]", None),
        ("2023-02-29 15:17:56,780 no such day", None),
        ("I9999 14:15:27.775955 1 x.py:1] ", None),
        ("2016-08-19 15:17:56.7801234", None),
        ("Epoch[0] 2016-08-19 15:17:56,780", None),
    ],
)
def test_stamps(line, time):
    assert stamp(line) == time
