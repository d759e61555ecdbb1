"""A library that plays NVIDIA's management library (NVML), and a GPU for it to play."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

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


def another(index: int, **values: Any) -> list[tuple[float, int, str, Any]]:
    """The lines of a further GPU."""
    gpu_values = {**BUSY, "uuid": f"GPU-{index}f3a", **values}
    return [(0.0, index, name, value) for name, value in gpu_values.items()]
