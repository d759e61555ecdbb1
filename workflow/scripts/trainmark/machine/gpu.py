"""NVIDIA GPUs, read through NVML (the library behind nvidia-smi; NVML API reference)."""

import os
from collections.abc import Callable, Iterator, Sequence, Set
from importlib import import_module
from typing import Any, NamedTuple

from worker import devices


class GpuSample(NamedTuple):
    """One moment of one GPU; None is what could not be read."""

    memory_bytes: int | None
    power_watts: float | None
    energy_joules: float | None  # since the driver was loaded
    utilisation_percent: int | None
    sm_megahertz: int | None
    temperature_celsius: int | None
    throttle_reasons: int | None  # bits as in nvml.h
    other_processes: int | None


class Gpu:
    """One GPU. `nvml` is the module pynvml, or in tests a recording of it."""

    def __init__(self, nvml: Any, index: int) -> None:
        self._nvml = nvml
        self._handle = nvml.nvmlDeviceGetHandleByIndex(index)
        self.index = index
        self.uuid: str = nvml.nvmlDeviceGetUUID(self._handle)
        self.memory_method = "device"

    def describe(self) -> dict[str, str | None]:
        """What goes into the record of a run: name, UUID, driver and how memory was read."""
        return {
            "name": self._read("nvmlDeviceGetName"),
            "uuid": self.uuid,
            "driver": self._nvml.nvmlSystemGetDriverVersion(),
            "memory_method": self.memory_method,
        }

    def sample(self, pids: Set[int]) -> GpuSample:
        """Read the GPU; memory is that of the processes `pids` where NVML knows them.

        In a container NVML may tell pids of the machine outside. Then it is all memory in use on
        the device, and nothing can be said of other processes.
        """
        used, others = self._memory_by_process(pids)
        if used:
            self.memory_method = "process"
        elif self.memory_method == "device":
            used = self._read("nvmlDeviceGetMemoryInfo", pick=lambda memory: memory.used)
        return GpuSample(
            memory_bytes=used,
            power_watts=self.power_watts(),
            energy_joules=self._read("nvmlDeviceGetTotalEnergyConsumption", scale=1e-3),
            utilisation_percent=self._read(
                "nvmlDeviceGetUtilizationRates", pick=lambda rates: rates.gpu
            ),
            sm_megahertz=self._read("nvmlDeviceGetClockInfo", self._nvml.NVML_CLOCK_SM),
            temperature_celsius=self._read(
                "nvmlDeviceGetTemperature", self._nvml.NVML_TEMPERATURE_GPU
            ),
            throttle_reasons=self._read("nvmlDeviceGetCurrentClocksThrottleReasons"),
            other_processes=others if self.memory_method == "process" else None,
        )

    def power_watts(self) -> float | None:
        """What the board draws now, or what NVML averages over the last second (Ampere and on)."""
        watts: float | None = self._read("nvmlDeviceGetPowerUsage", scale=1e-3)
        return watts

    def _memory_by_process(self, pids: Set[int]) -> tuple[int, int | None]:
        """Bytes used by `pids`, and how many other processes compute on this GPU."""
        running = self._read("nvmlDeviceGetComputeRunningProcesses")
        if running is None:
            return 0, None
        own = [process for process in running if process.pid in pids]
        return sum(process.usedGpuMemory or 0 for process in own), len(running) - len(own)

    def _read(
        self,
        function: str,
        *arguments: int,
        scale: float | None = None,
        pick: Callable[[Any], Any] | None = None,
    ) -> Any:
        """The value of one NVML function, None where this GPU or driver doesn't give it."""
        try:
            value = getattr(self._nvml, function)(self._handle, *arguments)
        except self._nvml.NVMLError:
            return None
        value = pick(value) if pick else value
        return value * scale if scale else value


def find() -> list[Gpu]:
    """All GPUs of the machine; none without the library, the driver or the hardware."""
    try:
        nvml = import_module("pynvml")  # slow to load, so only where a run uses GPUs
    except ImportError:
        return []
    return list(_gpus(nvml))


def choose(gpus: Sequence[Gpu], count: int, visible: str | None) -> list[Gpu]:
    """The first `count` GPUs, or those of CUDA_VISIBLE_DEVICES (indices or UUIDs) where set."""
    if visible is None:
        return list(gpus[:count])
    entries = [entry.strip() for entry in visible.split(",") if entry.strip()]
    chosen = [gpu for entry in entries for gpu in gpus if _named(gpu, entry)]
    return list(dict.fromkeys(chosen))[:count]  # one that is named twice is one all the same


def for_device(device: str) -> list[Gpu]:
    """The GPUs that a run on a device ("cpu", "cuda:2") uses here, as far as there are enough."""
    count = _asked(device)
    return choose(find(), count, os.environ.get("CUDA_VISIBLE_DEVICES")) if count else []


def lacking(device: str, gpus: Sequence[Gpu]) -> str | None:
    """What a device asks for beyond the GPUs that there are for it; None where they are enough."""
    asked = _asked(device)
    if len(gpus) == asked:
        return None
    return (
        f"{device} asks for {asked} GPU{'s' if asked > 1 else ''}, and there {_are(len(gpus))} here"
    )


def _asked(device: str) -> int:
    """Of each node."""
    kind, _, count = devices.shape(device)
    return count if kind == "cuda" else 0


def _are(count: int) -> str:
    return {0: "is none", 1: "is one"}.get(count, f"are {count}")


def _gpus(nvml: Any) -> Iterator[Gpu]:
    try:
        nvml.nvmlInit()
        count = nvml.nvmlDeviceGetCount()
    except nvml.NVMLError:
        return
    for index in range(count):
        try:
            gpu = Gpu(nvml, index)
        except nvml.NVMLError:  # it doesn't answer any more
            continue
        yield gpu


def _named(gpu: Gpu, entry: str) -> bool:
    return entry == str(gpu.index) or (entry.startswith("GPU-") and gpu.uuid.startswith(entry))
