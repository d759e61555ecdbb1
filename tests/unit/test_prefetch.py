"""Reading ahead: in order, bounded, with its errors, and without a thread left behind."""

import itertools
import threading

import pytest
from waiting import wait_for

from worker.input.prefetch import prefetch


def failing_after(count):
    yield from range(count)
    raise ValueError("the file ends here")


def test_items_come_in_order():
    assert list(prefetch(range(100))) == list(range(100))


def test_an_error_comes_in_its_place():
    items = prefetch(failing_after(3))
    assert list(itertools.islice(items, 3)) == [0, 1, 2]
    with pytest.raises(ValueError, match="the file ends here"):
        next(items)


def test_it_reads_ahead_but_not_without_bound():
    made = []
    items = prefetch(map(made.append, itertools.count()), depth=3)
    next(items)
    wait_for(lambda: len(made) >= 4)
    assert len(made) == 4


def test_no_thread_is_left_when_the_iteration_is_given_up():
    before = set(threading.enumerate())
    items = prefetch(itertools.count())
    next(items)
    items.close()
    assert set(threading.enumerate()) <= before
