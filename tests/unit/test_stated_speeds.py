"""The one speed that a log states, of totals, of lines, or of stamps alone."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainmark.runs.logs.speed import stated
from trainmark.runs.logs.statements import Progress, speed

BATCH_SIZE = 64


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (Progress(images_per_second=100.0), 100),
        (Progress(steps_per_second=2.0), 128),
        (Progress(seconds=0.5, steps=1), 128),
        (Progress(seconds=2.0, images=100), 50),
        (Progress(seconds=2.0), None),  # of what, it doesn't say
        (Progress(seconds=0.0, steps=1), None),  # "0s 0ms/step": too fast for its format
        (Progress(step=3, loss=0.5), None),
    ],
)
def test_a_statement_is_a_speed_in_whatever_form_it_says_it(
    statement: Progress, expected: float | None
) -> None:
    assert speed(statement, BATCH_SIZE) == expected


def test_lines_are_averaged_as_they_stand() -> None:
    lines = [Progress(step=step, images_per_second=10.0 * step) for step in (1, 2, 3)]
    speed = stated(lines, BATCH_SIZE)
    assert speed == (20.0, "lines", 3, 10.0, 30.0)


def test_lines_of_the_warm_up_do_not_count() -> None:
    lines = [Progress(step=step, images_per_second=10.0 * step) for step in (1, 2, 3)]
    speed = stated(lines, BATCH_SIZE, after=2)
    assert speed == (30.0, "lines", 1, 30.0, 30.0)


def test_of_running_means_the_last_of_each_epoch_counts() -> None:
    means = [(1, 5.0), (1, 10.0), (2, 50.0), (2, 20.0)]
    lines = [Progress(epoch=e, images_per_second=v, is_total=True) for e, v in means]
    speed = stated([Progress(images_per_second=1e6), *lines], BATCH_SIZE)
    assert speed == (15.0, "totals", 2, 10.0, 20.0)


def test_a_log_of_stamps_alone_says_its_speed_too() -> None:
    start = datetime(2018, 12, 31, 23, 59, 50)
    lines = [Progress(step=100 * n, time=start + timedelta(seconds=10 * n)) for n in range(4)]
    speed = stated(lines, BATCH_SIZE)
    assert speed and (speed.images_per_second, speed.basis) == (640.0, "stamps")


def test_one_stamp_or_none_says_nothing() -> None:
    assert stated([], BATCH_SIZE) is None
    assert stated([Progress(step=5, time=datetime(2018, 1, 1))], BATCH_SIZE) is None
    assert stated([Progress(step=5, loss=1.0), Progress(loss=2.0)], BATCH_SIZE) is None


@given(st.lists(st.floats(1e-3, 1e6), min_size=1))
def test_the_mean_lies_between_the_lowest_and_the_highest(speeds: list[float]) -> None:
    speed = stated((Progress(images_per_second=each) for each in speeds), BATCH_SIZE)
    assert speed and speed.statements == len(speeds)
    assert speed.lowest <= speed.images_per_second * (1 + 1e-9)
    assert speed.images_per_second <= speed.highest * (1 + 1e-9)


def test_a_time_of_all_steps_is_a_speed_where_their_number_is_known() -> None:
    minutes = [Progress(step=100), Progress(seconds=60.0, is_total=True)]
    assert stated(minutes, BATCH_SIZE) is None
    speed = stated(minutes, BATCH_SIZE, steps=600)
    assert speed and (speed.images_per_second, speed.basis) == (640.0, "time")
