"""Warming up until step times are steady, on steps of known times."""

import itertools

import pytest

from worker.timing import steady


class Clock:
    """A clock that only steps move on."""

    def __init__(self, seconds):
        self.seconds = iter(seconds)
        self.now = 0.0

    def step(self):
        self.now += next(self.seconds)


@pytest.fixture
def settle(monkeypatch):
    def settle(seconds, least=1.0, limit=10.0):
        clock = Clock(seconds)
        monkeypatch.setattr(steady.time, "monotonic", lambda: clock.now)
        return steady.settle(clock.step, lambda: None, least, limit)

    return settle


def noisy(seconds):
    return (seconds * (1 + 0.02 * ((7 * n) % 5 - 2)) for n in itertools.count())


def test_even_steps_are_steady_after_the_least_time(settle):
    settled = settle(noisy(0.2), least=3.0)
    assert settled["steady"]
    assert 3.0 <= settled["seconds"] < 3.3
    assert settled["steps"] == len(settled["step_milliseconds"])


def test_short_steps_are_timed_in_blocks(settle):
    settled = settle(noisy(0.001))
    assert settled["steady"]
    assert len(settled["step_milliseconds"]) >= steady.BLOCKS
    assert settled["step_milliseconds"][-1] == pytest.approx(1.0, rel=0.05)


def test_steps_that_become_faster_are_waited_for(settle):
    falling = (0.2 + 0.4 * 0.8**n for n in range(15))
    settled = settle(itertools.chain(falling, noisy(0.2)), least=0)
    assert settled["steady"]
    assert settled["steps"] > 15


def test_steps_that_never_settle_end_at_the_limit(settle):
    settled = settle((0.1 + 0.01 * n for n in itertools.count()), limit=5.0)
    assert not settled["steady"]
    assert 5.0 <= settled["seconds"] < 6.0


def test_too_few_steps_before_the_limit_tell_nothing(settle):
    settled = settle(noisy(3.0), limit=10.0)
    assert settled["steady"] is None
    assert settled["steps"] == 4


def test_a_trend_is_distinguished_from_chance():
    assert steady.has_trend([8, 7, 6, 5, 4, 3, 2, 1])
    assert steady.has_trend([2.0, 2.1, 2.05, 1.95, 1.0, 1.1, 1.05, 0.95])
    assert not steady.has_trend([1.0, 1.1, 0.9, 1.05, 0.95, 1.1, 0.9, 1.0])
