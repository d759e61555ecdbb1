"""What a run on NVIDIA's GPUs becomes: energy, power, memory and utilisation over its window."""

from pathlib import Path
from typing import Any

import pytest
from played_nvml import BUSY, LOST, OURS, Clock, another

from trainmark.analyse.run import telemetry
from trainmark.analyse.run.metrics.energy import (
    energy_per_1000_images,
    gpu_energy,
    gpu_energy_counter,
    gpu_energy_sampled,
    gpu_power,
)
from trainmark.analyse.run.metrics.gpu import gpu_utilisation
from trainmark.analyse.run.metrics.memory import gpu_memory, gpu_memory_mean
from trainmark.analyse.run.recording import Absent, Run
from trainmark.machine.gpu import nvidia
from trainmark.machine.processes import Usage
from trainmark.machine.telemetry import Sampler, to_csv


class Own:
    """Stands for the run's processes, by the pids that are played."""

    def usage(self) -> Usage:
        return Usage(0.0, 0.0, 0, OURS)

    def disk_bytes(self, pids: set[int]) -> None:
        return None


def recorded(folder: Path, clock: Clock) -> Run:
    """A run of 500 images from second 0.15 to 1.85, beside which all GPUs are sampled."""
    sampler = Sampler(Own(), nvidia.find(), rapl=None)
    while clock.monotonic() < 2:
        sampler.take()
        clock.sleep(sampler.seconds_to_next())
    (folder / "telemetry.csv").write_text(to_csv(sampler.samples))
    events = {
        "window_start": {"time_seconds": 0.15},
        "window_end": {"time_seconds": 1.85, "images": 500},
    }
    record = {"job": {"device": "cuda:2", "stage": "train"}}
    return Run(record, events, telemetry.read(folder / "telemetry.csv"))


def test_a_run_on_two_gpus_becomes_its_measurements(
    play_gpus: Any, tmp_path: Path, nvml_clock: Clock
) -> None:
    """By their counters they draw 110 and 330 W, by sampled power 100 and 300."""
    second = another(1, milliwatts=300_000, millijoules="5+330000", utilisation=47)
    play_gpus(*second, milliwatts=100_000, millijoules="7000+110000")
    run = recorded(tmp_path, nvml_clock)
    assert gpu_power(run) == pytest.approx(440, rel=1e-4)
    assert gpu_energy_sampled(run) == pytest.approx(400 * run.window_seconds)
    assert energy_per_1000_images(run) == pytest.approx(2 * 440 * run.window_seconds, rel=1e-4)
    assert gpu_memory_mean(run) == pytest.approx(2 * 1536)
    assert gpu_utilisation(run) == pytest.approx((97 + 47) / 2)


def test_a_counter_that_is_reset_gives_way_to_sampled_power(
    play_gpus: Any, tmp_path: Path, nvml_clock: Clock
) -> None:
    play_gpus((0.8, 0, "millijoules", "0+412500"), millijoules="9000000+412500")
    run = recorded(tmp_path, nvml_clock)
    with pytest.raises(Absent, match="reset"):
        gpu_energy_counter(run)
    assert gpu_energy(run) == pytest.approx(412.5 * run.window_seconds)


@pytest.mark.parametrize("metric", [gpu_power, gpu_energy, gpu_memory, gpu_memory_mean])
def test_a_gpu_that_is_lost_in_the_run_has_no_values(
    play_gpus: Any, tmp_path: Path, nvml_clock: Clock, metric: Any
) -> None:
    play_gpus(*[(0.8, 0, name, LOST) for name in BUSY])
    run = recorded(tmp_path, nvml_clock)
    with pytest.raises(Absent, match="not readable over the whole window"):
        metric(run)
