"""NVIDIA's GPUs as nvidia-ml-py reads them, from a library that plays what a test writes."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pandas as pd
import pynvml
import pytest

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
from trainmark.machine import gpu, telemetry
from trainmark.machine.gpu import GpuSample, Throttle, idle_power, nvidia
from trainmark.machine.gpu.idle_power import idle_watts
from trainmark.machine.processes import Usage
from trainmark.machine.telemetry import Sampler, to_csv
from trainmark.study import plugins

SOURCE = Path(__file__).with_name("played_nvml.c")
NAME = "libnvidia-ml.so.1"
GIB = 2**30
NOT_SUPPORTED, NO_PERMISSION, LOST = "!3", "!4", "!15"
OURS = {101, 102}
BUSY = {
    "name": "NVIDIA H200",
    "uuid": "GPU-0f3a",
    "milliwatts": 412_500,
    "limit_milliwatts": 700_000,
    "millijoules": 7_000_500,
    "throttle_reasons": 4,
    "celsius": 61,
    "sm_megahertz": 1980,
    "utilisation": 97,
    "capability": "9.0",
    "total_bytes": 140 * GIB,
    "used_bytes": 3 * GIB,
    "reserved_bytes": GIB // 2,
    "processes": f"101:{GIB} 102:{GIB // 2} 999:{GIB}",
}
SYSTEM = -1


def built(folder: Path, *options: str) -> Path:
    """The library that plays NVML."""
    if not shutil.which("gcc"):
        pytest.skip("needs gcc")
    command = ["gcc", "-shared", "-fPIC", *options]
    subprocess.run([*command, "-o", folder / NAME, SOURCE], check=True)
    return folder / NAME


class Clock:
    """The time of the library, and of what samples it."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.seconds = ctypes.c_double.in_dll(library, "played_seconds")
        self.seconds.value = 0.0

    def monotonic(self) -> float:
        return self.seconds.value

    def sleep(self, seconds: float) -> None:
        self.seconds.value += seconds


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The library that plays NVML."""
    return ctypes.CDLL(str(built(tmp_path_factory.mktemp("nvml"))))


@pytest.fixture(autouse=True)
def clock(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the library, which nvidia-ml-py calls instead of a real one."""
    clock = Clock(library)
    monkeypatch.setattr(pynvml, "nvmlLib", library)
    monkeypatch.setattr(pynvml, "_nvmlGetFunctionPointer_cache", {})
    monkeypatch.delenv("PLAYED_NVML", raising=False)
    played = SimpleNamespace(
        monotonic=clock.monotonic, sleep=clock.sleep, process_time=time.process_time
    )
    monkeypatch.setattr(telemetry, "time", played)
    monkeypatch.setattr(idle_power, "time", played)
    return clock


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Play a machine with GPU 0, which is as in BUSY but for what is changed, and other lines."""

    def write(*lines: tuple[float, int, str, Any], **changes: Any) -> None:
        written = [(0.0, SYSTEM, "driver", "580.159.04")]
        written += [(0.0, 0, name, value) for name, value in {**BUSY, **changes}.items()]
        rows = [",".join(map(str, line)) for line in (*written, *lines)]
        (tmp_path / "nvml.csv").write_text("\n".join(rows) + "\n")
        monkeypatch.setenv("PLAYED_NVML", str(tmp_path / "nvml.csv"))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    return write


def another(index: int, **values: Any) -> list[tuple[float, int, str, Any]]:
    """The lines of a further GPU."""
    gpu_values = {**BUSY, "uuid": f"GPU-{index}f3a", **values}
    return [(0.0, index, name, value) for name, value in gpu_values.items()]


def test_a_gpu_in_si_units_with_the_memory_of_the_runs_own_processes(play: Any) -> None:
    play()
    [device] = nvidia.find()
    assert device.sample(OURS) == GpuSample(3 * GIB // 2, 412.5, 7000.5, 97, 1980, 61, 4, 1)
    assert device.describe() == {
        "name": "NVIDIA H200",
        "uuid": "GPU-0f3a",
        "driver": "580.159.04",
        "memory_method": "process",
        "memory_bytes": 140 * GIB,
        "power_limit_watts": 700.0,
        "compute_capability": "9.0",
    }


def test_the_record_of_a_run_takes_it_whether_known_or_not(play: Any) -> None:
    schemas = plugins.SCRIPTS.parent / "schemas"
    schema = json.loads((schemas / "run.schema.json").read_text(encoding="utf-8"))
    of_gpus = schema["properties"]["provenance"]["properties"]["gpus"]
    for unknown in ({}, dict.fromkeys(BUSY.keys() - {"name", "uuid"}, NOT_SUPPORTED)):
        play(**unknown)
        jsonschema.validate([device.describe() for device in nvidia.find()], of_gpus)


def test_throttle_reasons_have_the_numbers_of_nvml() -> None:
    assert pynvml.nvmlClocksThrottleReasonGpuIdle == Throttle.IDLE
    assert pynvml.nvmlClocksThrottleReasonSwPowerCap == Throttle.POWER_LIMIT
    assert pynvml.nvmlClocksThrottleReasonHwSlowdown == Throttle.HARDWARE
    assert pynvml.nvmlClocksThrottleReasonSwThermalSlowdown == Throttle.SOFTWARE_THERMAL
    assert pynvml.nvmlClocksThrottleReasonHwThermalSlowdown == Throttle.HARDWARE_THERMAL
    assert pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown == Throttle.POWER_BRAKE


@pytest.mark.parametrize("processes", ["7:1 8:1", "101:-1"], ids=["foreign pids", "unknown bytes"])
def test_where_processes_dont_tell_the_memory_is_all_in_use(play: Any, processes: str) -> None:
    """Foreign pids are those of a container's host; what the driver reserves isn't in use."""
    play(processes=processes)
    [device] = nvidia.find()
    sample = device.sample(OURS)
    assert (sample.memory_bytes, sample.other_processes) == (3 * GIB, None)
    assert device.memory_method == "device"


@pytest.mark.parametrize("error", [NOT_SUPPORTED, NO_PERMISSION, LOST])
def test_what_a_gpu_cant_tell_is_none(play: Any, error: str) -> None:
    play((0.0, SYSTEM, "driver", error), **dict.fromkeys(BUSY.keys() - {"name", "uuid"}, error))
    [device] = nvidia.find()
    assert set(device.sample(OURS)) == {None}
    described = device.describe()
    assert [key for key, value in described.items() if value] == ["name", "uuid", "memory_method"]


def test_no_driver_is_no_gpu() -> None:
    assert nvidia.find() == []


def test_a_library_of_another_version_than_the_driver_s_is_named(
    play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside what may hide GPUs."""
    play((0.0, SYSTEM, "init", "!18"))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    cause = "CUDA_VISIBLE_DEVICES=0, NVML: RM has detected an NVML/RM version mismatch"
    message = f"cuda:1 asks for 1 GPU, and there is none here ({cause})"
    assert gpu.lacking("cuda:1", gpu.for_device("cuda:1")) == message


def test_a_gpu_that_is_lost_leaves_the_others(play: Any) -> None:
    play((0.0, 0, "handle", LOST), *another(1), *another(2))
    assert [device.index for device in nvidia.find()] == [1, 2]


OF_AN_OLD_DRIVER = """
from trainmark.machine.gpu import nvidia
print(nvidia.find()[0].sample({101}).memory_bytes, nvidia.find()[0].sample({7}).memory_bytes)
"""


def test_a_driver_before_510_has_older_functions(play: Any, tmp_path: Path) -> None:
    """It is the last for Kepler; all memory in use is then with what the driver reserves."""
    play()
    built(tmp_path, "-DBEFORE_510")
    scripts = str(Path(gpu.__file__).parents[3])
    libraries = f"{tmp_path}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    environment = {**os.environ, "LD_LIBRARY_PATH": libraries, "PYTHONPATH": scripts}
    command = [sys.executable, "-c", OF_AN_OLD_DRIVER]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == f"{GIB} {7 * GIB // 2}\n", done.stderr


def test_idle_power_is_the_lowest_sum_over_the_gpus(play: Any) -> None:
    """What the reading still has of the run before falls away."""
    play((0.5, 0, "milliwatts", 79_000), *another(1))
    assert idle_watts(nvidia.find()) == pytest.approx(79 + 412.5)
    play(*another(1, milliwatts=NOT_SUPPORTED))
    assert idle_watts(nvidia.find()) is None
    assert idle_watts([]) is None


def test_a_cpu_run_uses_no_gpu_whatever_there_is(play: Any) -> None:
    play(*another(1))
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
        ("0,-1,1", [0]),
        ("0,,1", [0]),
        ("NoDevFiles", []),
        ("MIG-3f3a", []),
    ],
)
def test_the_gpus_left_visible_by_the_user_are_used(
    visible: str | None, expected: list[int], play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(*another(1), *another(2), *another(3))
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert [int(device.uuid[4]) for device in gpu.for_device("cuda:2")] == expected


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
    return Run(record, events, pd.read_csv(folder / "telemetry.csv"))


def test_a_run_on_two_gpus_becomes_its_measurements(
    play: Any, tmp_path: Path, clock: Clock
) -> None:
    """By their counters they draw 110 and 330 W, by sampled power 100 and 300."""
    second = another(1, milliwatts=300_000, millijoules="5+330000", utilisation=47)
    play(*second, milliwatts=100_000, millijoules="7000+110000")
    run = recorded(tmp_path, clock)
    assert gpu_power(run) == pytest.approx(440, rel=1e-4)
    assert gpu_energy_sampled(run) == pytest.approx(400 * run.window_seconds)
    assert energy_per_1000_images(run) == pytest.approx(2 * 440 * run.window_seconds, rel=1e-4)
    assert gpu_memory_mean(run) == pytest.approx(2 * 1536)
    assert gpu_utilisation(run) == pytest.approx((97 + 47) / 2)


def test_a_counter_that_is_reset_gives_way_to_sampled_power(
    play: Any, tmp_path: Path, clock: Clock
) -> None:
    play((0.8, 0, "millijoules", "0+412500"), millijoules="9000000+412500")
    run = recorded(tmp_path, clock)
    with pytest.raises(Absent, match="reset"):
        gpu_energy_counter(run)
    assert gpu_energy(run) == pytest.approx(412.5 * run.window_seconds)


@pytest.mark.parametrize("metric", [gpu_power, gpu_energy, gpu_memory, gpu_memory_mean])
def test_a_gpu_that_is_lost_in_the_run_has_no_values(
    play: Any, tmp_path: Path, clock: Clock, metric: Any
) -> None:
    play(*[(0.8, 0, name, LOST) for name in BUSY])
    run = recorded(tmp_path, clock)
    with pytest.raises(Absent, match="not readable over the whole window"):
        metric(run)
