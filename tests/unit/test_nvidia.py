"""NVIDIA's GPUs, replayed from NVML's values, and a run on two of them."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from trainmark.analyse.run.metrics.energy import (
    energy_per_1000_images,
    gpu_energy_sampled,
    gpu_power,
)
from trainmark.analyse.run.metrics.memory import gpu_memory_mean
from trainmark.analyse.run.recording import Run
from trainmark.machine import gpu
from trainmark.machine.gpu import GpuSample, Throttle, nvidia
from trainmark.machine.gpu.idle_power import idle_watts
from trainmark.machine.gpu.nvidia import NvidiaGpu
from trainmark.machine.processes import Usage
from trainmark.machine.telemetry import (
    Sampler,
    to_csv,
)


class NvmlError(Exception):
    """What pynvml raises for a value that a GPU doesn't have."""


class Nvml:
    """Replays values as NVML gave them; an absent one is "not supported"."""

    NVMLError = NvmlError
    NVML_CLOCK_SM = 1
    NVML_TEMPERATURE_GPU = 0

    def __init__(self, recording: dict[str, Any], count: int = 1) -> None:
        self.recording = recording
        self.count = count

    def nvmlInit(self) -> None:  # noqa: N802
        if not self.count:
            raise NvmlError("Driver Not Loaded")

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return self.count

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        return index

    def nvmlDeviceGetUUID(self, handle: int) -> str:  # noqa: N802
        return f"GPU-{handle}f3a"

    def nvmlSystemGetDriverVersion(self) -> str:  # noqa: N802
        return "550.54.15"

    def __getattr__(self, name: str) -> Any:
        def function(handle: int, *arguments: int) -> Any:
            if name not in self.recording:
                raise NvmlError("Not Supported")
            return self.recording[name]

        return function


BUSY = {
    "nvmlDeviceGetName": "NVIDIA H200",
    "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=3 * 2**30),
    "nvmlDeviceGetComputeRunningProcesses": [
        SimpleNamespace(pid=101, usedGpuMemory=2**30),
        SimpleNamespace(pid=102, usedGpuMemory=2**29),
        SimpleNamespace(pid=999, usedGpuMemory=2**30),
    ],
    "nvmlDeviceGetPowerUsage": 412_500,
    "nvmlDeviceGetTotalEnergyConsumption": 7_000_500,
    "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=97, memory=40),
    "nvmlDeviceGetClockInfo": 1980,
    "nvmlDeviceGetTemperature": 61,
    "nvmlDeviceGetCurrentClocksThrottleReasons": 4,
}


def test_a_gpu_in_si_units_with_the_memory_of_the_runs_own_processes() -> None:
    device = NvidiaGpu(Nvml(BUSY), 0)
    sample = device.sample({101, 102})
    assert sample == GpuSample(3 * 2**29, 412.5, 7000.5, 97, 1980, 61, 4, 1)
    assert device.describe() == {
        "name": "NVIDIA H200",
        "uuid": "GPU-0f3a",
        "driver": "550.54.15",
        "memory_method": "process",
    }


def test_throttle_reasons_have_the_numbers_of_nvml() -> None:
    pynvml = pytest.importorskip("pynvml")
    assert pynvml.nvmlClocksThrottleReasonGpuIdle == Throttle.IDLE
    assert pynvml.nvmlClocksThrottleReasonSwPowerCap == Throttle.POWER_LIMIT
    assert pynvml.nvmlClocksThrottleReasonHwSlowdown == Throttle.HARDWARE
    assert pynvml.nvmlClocksThrottleReasonSwThermalSlowdown == Throttle.SOFTWARE_THERMAL
    assert pynvml.nvmlClocksThrottleReasonHwThermalSlowdown == Throttle.HARDWARE_THERMAL
    assert pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown == Throttle.POWER_BRAKE


def test_a_gpu_whose_processes_are_listed_by_foreign_pids_gives_all_its_memory() -> None:
    device = NvidiaGpu(Nvml(BUSY), 0)
    sample = device.sample({1})
    assert (sample.memory_bytes, sample.other_processes) == (3 * 2**30, None)
    assert device.memory_method == "device"


def test_what_a_gpu_cant_tell_is_none() -> None:
    assert set(NvidiaGpu(Nvml({}), 0).sample({1})) == {None}


def test_no_driver_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "import_module", lambda name: Nvml({}, count=0))
    assert nvidia.find() == []


def test_a_gpu_that_is_lost_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class FirstIsLost(Nvml):
        def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
            if index == 0:
                raise NvmlError("GPU is lost")
            return index

    monkeypatch.setattr(nvidia, "import_module", lambda name: FirstIsLost(BUSY, count=3))
    assert [device.index for device in nvidia.find()] == [1, 2]


def test_idle_power_is_the_sum_over_the_gpus() -> None:
    gpus = [NvidiaGpu(Nvml(BUSY, count=2), index) for index in range(2)]
    assert idle_watts(gpus, seconds=0.01) == pytest.approx(2 * 412.5)
    assert idle_watts([*gpus, NvidiaGpu(Nvml({}), 2)], seconds=0.01) is None
    assert idle_watts([]) is None


def test_a_cpu_run_uses_no_gpu_whatever_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "import_module", lambda name: Nvml(BUSY, count=2))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert gpu.for_device("cpu") == []
    assert [device.uuid for device in gpu.for_device("cuda:1")] == ["GPU-0f3a"]
    assert len(gpu.for_device("cuda:4")) == 2


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        (None, [0, 1]),
        ("2,0", [2, 0]),
        ("GPU-3f", [3]),
        ("", []),
        ("3,1,2", [3, 1]),
        ("1,1,0", [1, 0]),
    ],
)
def test_the_gpus_left_visible_by_the_user_are_used(
    visible: str | None, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    monkeypatch.setattr(nvidia, "import_module", lambda name: Nvml({}, count=4))
    assert [int(device.uuid[4]) for device in gpu.for_device("cuda:2")] == expected


def test_a_replayed_run_on_two_gpus_becomes_its_measurements(tmp_path: Path) -> None:
    """One draws 100 W by a counter and by samples, the other 300 W; both hold 1.5 GiB of ours."""
    nvmls = [Nvml({**BUSY, "nvmlDeviceGetPowerUsage": watts * 1000}) for watts in (100, 300)]
    gpus = [NvidiaGpu(nvml, index) for index, nvml in enumerate(nvmls)]
    sampler = Sampler(Own(), gpus, rapl=None, interval_seconds=0.02)
    start = time.monotonic()
    for _ in range(60):
        moment = time.monotonic() - start
        for nvml, watts in zip(nvmls, (100, 300), strict=True):
            nvml.recording["nvmlDeviceGetTotalEnergyConsumption"] = moment * watts * 1000
        sampler.take()
        time.sleep(sampler.seconds_to_next())
    (tmp_path / "telemetry.csv").write_text(to_csv(sampler.samples))
    first, *_, last = [sample.time_seconds for sample in sampler.samples]
    run = Run(
        {"job": {"device": "cuda:2"}},
        {
            "window_start": {"time_seconds": first + 0.05},
            "window_end": {"time_seconds": last - 0.05, "images": 500},
        },
        pd.read_csv(tmp_path / "telemetry.csv"),
    )
    assert gpu_power(run) == pytest.approx(400, rel=0.02)
    assert gpu_energy_sampled(run) == pytest.approx(400 * run.window_seconds)
    assert gpu_memory_mean(run) == pytest.approx(2 * 1536)
    joules_per_image = energy_per_1000_images(run) / 1000
    assert joules_per_image == pytest.approx(400 * run.window_seconds / 500, rel=0.02)


class Own:
    """Stands for the run's processes, by the pids of the recording."""

    def usage(self) -> Usage:
        return Usage(0.0, 0.0, 0, {101, 102})

    def disk_bytes(self, pids: set[int]) -> None:
        return None
