"""NVIDIA's GPUs as nvidia-ml-py reads them, from a library that plays what a test writes."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pynvml
import pytest
from played_nvml import (
    BUSY,
    GIB,
    LOST,
    NO_PERMISSION,
    NOT_SUPPORTED,
    OURS,
    SYSTEM,
    another,
    built,
)

from trainmark.machine import gpu
from trainmark.machine.gpu import GpuSample, Throttle, nvidia
from trainmark.machine.gpu.idle_power import idle_watts
from trainmark.study.config import schemas

pytestmark = pytest.mark.usefixtures("nvml_clock")


def test_a_gpu_in_si_units_with_the_memory_of_the_runs_own_processes(play_gpus: Any) -> None:
    play_gpus()
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


def test_the_record_of_a_run_takes_it_whether_known_or_not(play_gpus: Any) -> None:
    schema = schemas.load("run")
    of_gpus = schema["properties"]["provenance"]["properties"]["gpus"]
    for unknown in ({}, dict.fromkeys(BUSY.keys() - {"name", "uuid"}, NOT_SUPPORTED)):
        play_gpus(**unknown)
        jsonschema.validate([device.describe() for device in nvidia.find()], of_gpus)


def test_throttle_reasons_have_the_numbers_of_nvml() -> None:
    assert pynvml.nvmlClocksThrottleReasonGpuIdle == Throttle.IDLE
    assert pynvml.nvmlClocksThrottleReasonSwPowerCap == Throttle.POWER_LIMIT
    assert pynvml.nvmlClocksThrottleReasonHwSlowdown == Throttle.HARDWARE
    assert pynvml.nvmlClocksThrottleReasonSwThermalSlowdown == Throttle.SOFTWARE_THERMAL
    assert pynvml.nvmlClocksThrottleReasonHwThermalSlowdown == Throttle.HARDWARE_THERMAL
    assert pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown == Throttle.POWER_BRAKE


@pytest.mark.parametrize("processes", ["7:1 8:1", "101:-1"], ids=["foreign pids", "unknown bytes"])
def test_where_processes_dont_tell_the_memory_is_all_in_use(play_gpus: Any, processes: str) -> None:
    """Foreign pids are those of a container's host; what the driver reserves isn't in use."""
    play_gpus(processes=processes)
    [device] = nvidia.find()
    sample = device.sample(OURS)
    assert (sample.memory_bytes, sample.other_processes) == (3 * GIB, None)
    assert device.memory_method == "device"


@pytest.mark.parametrize("error", [NOT_SUPPORTED, NO_PERMISSION, LOST])
def test_what_a_gpu_cant_tell_is_none(play_gpus: Any, error: str) -> None:
    play_gpus(
        (0.0, SYSTEM, "driver", error), **dict.fromkeys(BUSY.keys() - {"name", "uuid"}, error)
    )
    [device] = nvidia.find()
    assert set(device.sample(OURS)) == {None}
    described = device.describe()
    assert [key for key, value in described.items() if value] == ["name", "uuid", "memory_method"]


def test_no_driver_is_no_gpu() -> None:
    assert nvidia.find() == []


def test_a_library_of_another_version_than_the_driver_s_is_named(
    play_gpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside what may hide GPUs."""
    play_gpus((0.0, SYSTEM, "init", "!18"))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    cause = "CUDA_VISIBLE_DEVICES=0, NVML: RM has detected an NVML/RM version mismatch"
    message = f"cuda:1 asks for 1 GPU, and there is none here ({cause})"
    assert gpu.lacking("cuda:1", gpu.for_device("cuda:1")) == message


def test_a_gpu_that_is_lost_leaves_the_others(play_gpus: Any) -> None:
    play_gpus((0.0, 0, "handle", LOST), *another(1), *another(2))
    assert [device.index for device in nvidia.find()] == [1, 2]


OF_AN_OLD_DRIVER = """
from trainmark.machine.gpu import nvidia
print(nvidia.find()[0].sample({101}).memory_bytes, nvidia.find()[0].sample({7}).memory_bytes)
"""


def test_a_driver_before_510_has_older_functions(play_gpus: Any, tmp_path: Path) -> None:
    """It is the last for Kepler; all memory in use is then with what the driver reserves."""
    play_gpus()
    built(tmp_path, "-DBEFORE_510")
    scripts = str(Path(gpu.__file__).parents[3])
    libraries = f"{tmp_path}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    environment = {**os.environ, "LD_LIBRARY_PATH": libraries, "PYTHONPATH": scripts}
    command = [sys.executable, "-c", OF_AN_OLD_DRIVER]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == f"{GIB} {7 * GIB // 2}\n", done.stderr


def test_idle_power_is_the_lowest_sum_over_the_gpus(play_gpus: Any) -> None:
    """What the reading still has of the run before falls away."""
    play_gpus((0.5, 0, "milliwatts", 79_000), *another(1))
    assert idle_watts(nvidia.find()) == pytest.approx(79 + 412.5)
    play_gpus(*another(1, milliwatts=NOT_SUPPORTED))
    assert idle_watts(nvidia.find()) is None
    assert idle_watts([]) is None


def test_a_cpu_run_uses_no_gpu_whatever_there_is(play_gpus: Any) -> None:
    play_gpus(*another(1))
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
    visible: str | None, expected: list[int], play_gpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_gpus(*another(1), *another(2), *another(3))
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert [int(device.uuid[4]) for device in gpu.for_device("cuda:2")] == expected
