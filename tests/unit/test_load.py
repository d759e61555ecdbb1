"""The load over a window, from cumulative counters sampled around it."""

from collections.abc import Callable

import pytest

from trainmark.train.gpu import GpuSample
from trainmark.train.load import Load, Window, disturbed, interpolate, load
from trainmark.train.measure import until_quiet
from trainmark.train.outcome import Outcome
from trainmark.train.record import Attempt
from trainmark.train.telemetry import Sample

QUIET_GPU = GpuSample(2**30, 250.0, 1e6, 90, 1980, 60, 0, 0)


def sampled(
    busy: float,
    own: float,
    launcher: float = 0.0,
    steal: float = 0.0,
    **more: tuple[GpuSample, ...],
) -> list[Sample]:
    """Ten seconds at 10 Hz of constant loads, in cores."""
    moments = [i / 10 for i in range(101)]
    return [
        Sample(t, 500 + busy * t, 7 + steal * t, own * t, launcher * t, 2**20, None, **more)
        for t in moments
    ]


def test_cores_of_own_others_and_steal() -> None:
    found = load(sampled(busy=2.5, own=1.8, launcher=0.2, steal=0.1), Window(2.0, 7.0))
    assert found == pytest.approx((1.8, 0.5, 0.1))


def test_the_window_is_cut_at_its_edges_not_at_samples() -> None:
    """Others are busy only until 5.05 s, between two samples."""
    samples = [Sample(t / 10, min(t / 10, 5.05), 0, 0, 0, 0) for t in range(101)]
    assert load(samples, Window(4.95, 5.05)).other_cpu == pytest.approx(0.75)
    assert load(samples, Window(5.2, 9.0)).other_cpu == 0.0


def test_other_is_never_negative() -> None:
    assert load(sampled(busy=1.0, own=1.1), Window(1, 9)).other_cpu == 0.0


def test_a_window_without_length_has_no_load() -> None:
    assert load(sampled(1, 1), Window(3, 3)) == (0, 0, 0)


def test_between_samples_and_beyond_them() -> None:
    times, values = [1.0, 2.0, 4.0], [10.0, 20.0, 60.0]
    assert [interpolate(times, values, t) for t in (0, 1, 1.5, 3, 4, 9)] == [10, 10, 15, 40, 60, 60]


@pytest.mark.parametrize(
    ("others", "seconds", "expected"),
    [
        (0.04, 10, False),
        (0.06, 10, True),
        (0.10, 0.2, False),  # 20 ms: what the kernel's counters can't resolve
        (0.50, 0.2, True),
    ],
)
def test_disturbed_by_other_processes(others: float, seconds: float, expected: bool) -> None:
    found = Load(1.0, others, 0.0)
    assert disturbed(sampled(1 + others, 1.0), Window(0, seconds), found, 0.05) is expected


@pytest.mark.parametrize(
    ("gpu", "expected"),
    [
        (QUIET_GPU, False),
        (QUIET_GPU._replace(throttle_reasons=0x4), False),  # at its power cap, as it should be
        (QUIET_GPU._replace(throttle_reasons=0x20), True),  # too hot
        (QUIET_GPU._replace(other_processes=1), True),
        (QUIET_GPU._replace(throttle_reasons=None, other_processes=None), False),
    ],
)
def test_disturbed_on_the_gpu(gpu: GpuSample, expected: bool) -> None:
    samples = sampled(1.0, 1.0, gpus=(gpu,))
    assert disturbed(samples, Window(1, 9), Load(1.0, 0.0, 0.0), 0.05) is expected


def attempt(other_cpu: float, status: str = "ok") -> Attempt:
    return Attempt(
        Outcome(status, None), load=Load(1.0, other_cpu, 0.0), disturbed=other_cpu > 0.05
    )


def replayed(*attempts: Attempt) -> Callable[[], Attempt]:
    return iter(attempts).__next__


@pytest.mark.parametrize(
    ("attempts", "kept", "count"),
    [
        ([attempt(0.0)], 0, 1),
        ([attempt(0.3), attempt(0.0)], 1, 2),
        ([attempt(0.3), attempt(0.1), attempt(0.2)], 1, 3),
        ([attempt(0.3), attempt(0.2, "failed")], 0, 2),
        ([attempt(0.3, "failed")], 0, 1),
    ],
)
def test_a_run_is_repeated_until_it_was_quiet(
    attempts: list[Attempt], kept: int, count: int
) -> None:
    assert until_quiet(replayed(*attempts), 3, lambda line: None) == (attempts[kept], count)
