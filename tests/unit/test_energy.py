"""Energy over a window, from series whose energy is known: to 0.1 %; and of a real GPU."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from trainmark.analyse.run.metrics.energy import (
    cpu_power,
    gpu_energy,
    gpu_energy_counter,
    gpu_energy_sampled,
)
from trainmark.analyse.run.recording import Absent, Run

START, END = 103.21, 107.77
EVENTS = {"window_start": {"time_seconds": START}, "window_end": {"time_seconds": END}}
THOUSANDTH = 1e-3
POWERS = {
    "constant": (lambda t: 0 * t + 250.0, lambda t: 250.0 * t),
    "ramp": (lambda t: 100 + 40 * (t - 100), lambda t: 100 * t + 20 * (t - 100) ** 2),
    "waves of two seconds": (
        lambda t: 300 + 80 * np.sin(np.pi * t),
        lambda t: 300 * t - 80 / np.pi * np.cos(np.pi * t),
    ),
}


def run(times, **columns):
    return Run({}, EVENTS, pd.DataFrame({"time_seconds": times, **columns}))


def joules(energy):
    return energy(END) - energy(START)


def irregular(seconds=0.1):
    """Sample times from 100 to 110 s, early and late by up to half an interval."""
    dice = np.random.default_rng(1)
    times = np.arange(100, 110, seconds)
    return times + dice.uniform(-seconds / 2, seconds / 2, len(times))


@pytest.mark.parametrize("shape", POWERS)
def test_sampled_power_over_irregular_samples_with_the_edges_interpolated(shape):
    power, energy = POWERS[shape]
    times = irregular()
    measured = gpu_energy_sampled(run(times, gpu0_power_watts=power(times)))
    assert measured == pytest.approx(joules(energy), rel=THOUSANDTH)


@pytest.mark.parametrize("shape", POWERS)
def test_a_counter_over_the_same_window(shape):
    energy = POWERS[shape][1]
    times = irregular()
    measured = gpu_energy_counter(run(times, gpu0_energy_joules=energy(times)))
    assert measured == pytest.approx(joules(energy), rel=THOUSANDTH)


def test_readings_that_were_taken_twice_count_once():
    power, energy = POWERS["ramp"]
    times = np.repeat(irregular(), 2)
    measured = gpu_energy_sampled(run(times, gpu0_power_watts=power(times)))
    assert measured == pytest.approx(joules(energy), rel=THOUSANDTH)


def test_a_sensor_that_repeats_its_value_between_updates():
    """NVML averages over a second or updates ten times less often than it is asked."""
    energy = POWERS["ramp"][1]
    times = irregular(0.02)
    sampled_power = POWERS["ramp"][0](np.floor(times / 0.1) * 0.1 + 0.05)
    measured = gpu_energy_sampled(run(times, gpu0_power_watts=sampled_power))
    assert measured == pytest.approx(joules(energy), rel=THOUSANDTH)


def test_samples_that_could_not_be_read_are_bridged():
    power, energy = POWERS["ramp"]
    times = irregular()
    watts = np.where((times > 104) & (times < 104.6), np.nan, power(times))
    measured = gpu_energy_sampled(run(times, gpu0_power_watts=watts))
    assert measured == pytest.approx(joules(energy), rel=THOUSANDTH)


def test_a_gap_too_long_to_be_bridged_is_reported():
    times = irregular()
    watts = np.where((times > 104) & (times < 106), np.nan, 250.0)
    with pytest.raises(Absent, match=r"gpu0_power_watts was not read for 2\.\d s of the window"):
        gpu_energy_sampled(run(times, gpu0_power_watts=watts))


@pytest.mark.parametrize("gap", [(102, 109), (102, 104), (106, 109)])
def test_a_gap_around_the_window_or_one_of_its_edges_is_reported(gap):
    times = irregular()
    watts = np.where((times > gap[0]) & (times < gap[1]), np.nan, 250.0)
    with pytest.raises(Absent, match="around an edge of the window"):
        gpu_energy_sampled(run(times, gpu0_power_watts=watts))


def test_two_gpus_add_up():
    times = irregular()
    both = run(times, gpu0_power_watts=0 * times + 100, gpu1_power_watts=0 * times + 50)
    assert gpu_energy_sampled(both) == pytest.approx(150 * (END - START), rel=THOUSANDTH)


def test_a_counter_reset_in_the_window_is_no_energy_and_power_takes_its_place():
    times = irregular()
    counter = np.where(times > 105, 0.0, 9e6) + 250 * (times - 100)
    reset = run(times, gpu0_energy_joules=counter, gpu0_power_watts=0 * times + 250)
    with pytest.raises(Absent, match="gpu0_energy_joules was reset in the window"):
        gpu_energy_counter(reset)
    assert gpu_energy(reset) == pytest.approx(250 * (END - START), rel=THOUSANDTH)


def test_cpu_power_is_the_counters_energy_a_second():
    times = irregular()
    assert cpu_power(run(times, cpu_energy_joules=45 * times)) == pytest.approx(45)


H200 = Path(__file__).parents[1] / "data" / "h200_power.csv"
"""An H200 by NVML, ten times a second: idle but for bfloat16 products in seconds 0 to 5."""


def of_the_h200(start, end):
    events = {"window_start": {"time_seconds": start}, "window_end": {"time_seconds": end}}
    return Run({}, events, pd.read_csv(H200))


def test_a_counter_follows_a_load_at_once_and_power_is_a_mean_of_the_last_second():
    first_second = of_the_h200(0, 1)
    assert gpu_energy(first_second) == gpu_energy_counter(first_second)
    share = gpu_energy_sampled(first_second) / gpu_energy(first_second)
    assert share == pytest.approx(0.55, abs=0.005)


def test_both_agree_under_a_steady_load():
    steady = of_the_h200(1.5, 5)
    assert gpu_energy_sampled(steady) == pytest.approx(gpu_energy_counter(steady), rel=0.02)
