"""The load over a window, from cumulative counters sampled around it."""

import pytest

from trainmark.machine.cpu_load import Window, interpolate, load
from trainmark.machine.telemetry import Sample


def sampled(
    busy: float,
    own_cores: float,
    launcher: float = 0.0,
    steal: float = 0.0,
) -> list[Sample]:
    """Ten seconds at 10 Hz of constant loads, in cores."""
    moments = [i / 10 for i in range(101)]
    return [
        Sample(t, 500 + busy * t, 7 + steal * t, own_cores * t, launcher * t, 2**20)
        for t in moments
    ]


def test_cores_of_own_others_and_steal() -> None:
    measured = load(sampled(busy=2.5, own_cores=1.8, launcher=0.2, steal=0.1), Window(2.0, 7.0))
    assert measured == pytest.approx((1.8, 0.5, 0.1))


def test_the_window_is_cut_at_its_edges_not_at_samples() -> None:
    """Others are busy only until 5.05 s, between two samples."""
    samples = [Sample(t / 10, min(t / 10, 5.05), 0, 0, 0, 0) for t in range(101)]
    assert load(samples, Window(4.95, 5.05)).other_cpu == pytest.approx(0.75)
    assert load(samples, Window(5.2, 9.0)).other_cpu == 0.0


def test_other_is_never_negative() -> None:
    assert load(sampled(busy=1.0, own_cores=1.1), Window(1, 9)).other_cpu == 0.0


def test_a_window_without_length_has_no_load() -> None:
    assert load(sampled(1, 1), Window(3, 3)) == (0, 0, 0)


def test_between_samples_and_beyond_them() -> None:
    times, values = [1.0, 2.0, 4.0], [10.0, 20.0, 60.0]
    assert [interpolate(times, values, t) for t in (0, 1, 1.5, 3, 4, 9)] == [10, 10, 15, 40, 60, 60]
