"""Disturbances of a run, and repeated attempts until there are none."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from machine_settings import LIMITS

from trainmark.machine.cpu_load import Load, Window
from trainmark.machine.disturbances import disturbances
from trainmark.machine.gpu import GpuSample
from trainmark.machine.processor import Processor
from trainmark.machine.telemetry import Sample, swapped_bytes
from trainmark.runs.launch import Exit
from trainmark.runs.measure import until_quiet
from trainmark.runs.outcome import Outcome
from trainmark.runs.record import Attempt, judge
from trainmark.runs.unmeasured import NotMeasured

QUIET = Load(own_cpu=1.0, other_cpu=0.0, steal=0.0)
GPU = GpuSample(2**30, 250.0, 1e6, 90, 1980, 60, 0, 0)
WINDOW = Window(1.0, 9.0)


def samples(*changes: dict[str, object]) -> list[Sample]:
    """Ten seconds at 10 Hz; each of the changes holds for an equal share of them."""
    rows = []
    for number in range(101):
        change = changes[min(number * len(changes) // 101, len(changes) - 1)] if changes else {}
        rows.append(Sample(number / 10, 0, 0, 0, 0, 2**20)._replace(**change))
    return rows


def test_a_quiet_machine_has_no_disturbances() -> None:
    series = samples({"cpu_megahertz": 2900.0, "cpu_throttles": 7, "gpus": (GPU,)})
    assert disturbances(series, WINDOW, QUIET, LIMITS) == []


@pytest.mark.parametrize(
    ("load", "seconds", "expected"),
    [
        (Load(1.0, 0.04, 0.0), 10, []),
        (Load(1.0, 0.06, 0.0), 10, ["0.06 cores used by others"]),
        (Load(1.0, 0.10, 0.0), 0.2, []),  # 20 ms: what the kernel's counters can't resolve
        (Load(1.0, 0.50, 0.0), 0.2, ["0.50 cores used by others"]),
        (Load(1.0, 0.0, 0.3), 10, ["0.30 cores taken by the hypervisor"]),
    ],
)
def test_cores_used_by_others(load: Load, seconds: float, expected: list[str]) -> None:
    assert disturbances(samples(), Window(0, seconds), load, LIMITS) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([{"swapped_bytes": 0}, {"swapped_bytes": 8 * 2**20}], "8.0 MiB swapped"),
        ([{"cpu_throttles": 3}, {"cpu_throttles": 4}], "the CPU throttled"),
        (
            [{"cpu_megahertz": 3000.0}, {"cpu_megahertz": 2100.0}],
            "CPU clock between 2,100 and 3,000 MHz",
        ),
        (
            [{"gpus": (GPU,)}, {"gpus": (GPU._replace(sm_megahertz=1200),)}],
            "GPU 0 clock between 1,200 and 1,980 MHz",
        ),
        ([{"gpus": (GPU, GPU._replace(throttle_reasons=0x20))}], "GPU 1 throttled"),  # too hot
        ([{"gpus": (GPU._replace(other_processes=1),)}], "another process on GPU 0"),
    ],
)
def test_what_else_disturbs(changes: list[dict[str, object]], expected: str) -> None:
    assert disturbances(samples(*changes), WINDOW, QUIET, LIMITS) == [expected]


def test_what_does_not_disturb() -> None:
    at_its_power_cap = GPU._replace(throttle_reasons=0x4, sm_megahertz=1200)
    waiting = GPU._replace(throttle_reasons=0x1, sm_megahertz=345)
    silent = GPU._replace(throttle_reasons=None, other_processes=None, sm_megahertz=None)
    series = samples({"gpus": (GPU, GPU, silent)}, {"gpus": (at_its_power_cap, waiting, silent)})
    assert disturbances(series, WINDOW, QUIET, LIMITS) == []


def test_a_single_reading_of_another_clock_is_no_disturbance() -> None:
    series = samples({"cpu_megahertz": 3000.0})
    series[50] = series[50]._replace(cpu_megahertz=800.0)
    series[70] = series[70]._replace(cpu_megahertz=4700.0)
    assert disturbances(series, WINDOW, QUIET, LIMITS) == []


def test_what_happens_before_the_window_is_none_of_its_business() -> None:
    before = [{"swapped_bytes": 0, "cpu_throttles": 0}, *[{"swapped_bytes": 2**30}] * 19]
    assert disturbances(samples(*before), WINDOW, QUIET, LIMITS) == []


def test_throttling_between_the_samples_around_an_edge_is_seen() -> None:
    series = samples({"cpu_throttles": 3}, {"cpu_throttles": 4})  # from 5.1 s on
    assert disturbances(series, Window(5.05, 9.0), QUIET, LIMITS) == ["the CPU throttled"]


def test_limits_can_be_set() -> None:
    load = Load(1.0, 0.3, 0.0)
    assert disturbances(samples(), WINDOW, load, LIMITS._replace(other_cpu=0.5)) == []


def test_the_clock_is_that_of_the_fastest_core_and_throttling_is_counted(tmp_path: Path) -> None:
    for number, (kilohertz, count) in enumerate([(1_200_000, 5), (2_900_000, 6)]):
        core = tmp_path / f"cpu{number}"
        for name, value in {
            "cpufreq/scaling_cur_freq": kilohertz,
            "thermal_throttle/package_throttle_count": count,
        }.items():
            (core / name).parent.mkdir(parents=True)
            (core / name).write_text(f"{value}\n")
    processor = Processor([tmp_path / "cpu0", tmp_path / "cpu1"])
    assert (processor.megahertz(), processor.throttles()) == (2900.0, 11)


def test_a_machine_that_tells_no_clock_has_none(tmp_path: Path) -> None:
    processor = Processor.find(tmp_path)
    assert (processor.megahertz(), processor.throttles()) == (None, None)


def test_swapping_is_counted_both_ways(tmp_path: Path) -> None:
    statistics = tmp_path / "vmstat"
    statistics.write_text("nr_free_pages 9\npswpin 3\npswpout 4\npgpgin 5\n")
    assert swapped_bytes(statistics) % 7 == 0
    assert swapped_bytes(statistics) > 0


EVENTS = """\
@trainmark {"event": "latency", "time_seconds": 4, "start_seconds": 1, "call_seconds": [0.1, 0.2]}
@trainmark {"event": "window_start", "time_seconds": 5}
@trainmark {"event": "window_end", "time_seconds": 9, "steps": 2, "images": 2, \
"wait_seconds": 0, "step_end_seconds": [2, 4], "losses": []}
"""


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (0, []),
        (2, ["the CPU throttled during calls one by one"]),
        (4.5, []),
        (6, ["the CPU throttled"]),
    ],
)
def test_calls_that_are_waited_for_are_watched_like_the_window(
    moment: float, expected: list[str]
) -> None:
    """And what lies between them: the prefills of a generation."""
    series = [
        sample._replace(cpu_throttles=int(sample.time_seconds > moment)) for sample in samples({})
    ]
    ended = Exit(0, None, False, 0, 10.0, series)
    assert judge(ended, EVENTS.encode(), 60, LIMITS).disturbances == expected


def attempt(other_cpu: float, status: str = "ok", steal: float = 0.0) -> Attempt:
    load = Load(1.0, other_cpu, steal)
    messages = disturbances(samples(), WINDOW, load, LIMITS)
    return Attempt(Outcome(status, None), load=load, disturbances=messages)


def replayed(*attempts: Attempt) -> Callable[[], Attempt]:
    return iter(attempts).__next__


@pytest.mark.parametrize(
    ("attempts", "kept", "count"),
    [
        ([attempt(0.0)], 0, 1),
        ([attempt(0.3), attempt(0.0)], 1, 2),
        ([attempt(0.3), attempt(0.1), attempt(0.2)], 1, 3),
        ([attempt(0.0, steal=0.1), attempt(0.0, steal=0.5), attempt(0.01, steal=0.5)], 0, 3),
        ([attempt(1.9), attempt(0.06, steal=0.06), attempt(1.9)], 1, 3),
        ([attempt(0.3), attempt(0.2, "failed")], 0, 2),
        ([attempt(0.3, "failed")], 0, 1),
        ([attempt(0.9, "timed_out"), attempt(0.0)], 1, 2),
        ([attempt(0.9, "timed_out"), attempt(0.3), attempt(0.1, "timed_out")], 1, 3),
        ([attempt(0.0, "timed_out")], 0, 1),
    ],
)
def test_a_run_is_repeated_until_it_was_quiet(
    attempts: list[Attempt], kept: int, count: int
) -> None:
    assert until_quiet(replayed(*attempts), 3, lambda line: None) == (attempts[kept], count)


def ending_with(first: Attempt) -> Callable[[], Attempt]:
    """Attempts of which the second can't begin."""

    def attempts() -> Iterator[Attempt]:
        yield first
        raise NotMeasured("a node is gone")

    return attempts().__next__


def test_what_was_measured_is_kept_where_a_later_attempt_cannot_begin() -> None:
    measured, messages = attempt(0.3), list[str]()
    assert until_quiet(ending_with(measured), 3, messages.append) == (measured, 1)
    assert messages[-1] == "attempt 2 of 3 can't begin: a node is gone"


def test_nothing_is_kept_of_a_timeout_after_which_no_attempt_can_begin() -> None:
    with pytest.raises(NotMeasured):
        until_quiet(ending_with(attempt(0.3, "timed_out")), 3, lambda line: None)
