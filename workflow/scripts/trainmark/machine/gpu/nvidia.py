"""NVIDIA GPUs, read through NVML (the library behind nvidia-smi; NVML API reference)."""

import os
from collections.abc import Callable, Iterator, Sequence, Set
from importlib import import_module
from typing import Any

from trainmark.machine.gpu import Gpu, GpuSample, named

KIND = "cuda"
NAME = "NVIDIA"
DRIVER = "libcuda.so.1"
VISIBLE = ("CUDA_VISIBLE_DEVICES",)

# Error messages of CUDA, cuDNN and cuBLAS (driver_types.h, cudnn.h).
OUT_OF_MEMORY = r"(ALLOC_FAILED|cudaErrorMemoryAllocation)\b"
OTHER_GPU = r"no kernel image is available|invalid device function|ARCH_MISMATCH"
OLD_DRIVER = r"driver version is insufficient|driver on your system is too old"

WORKER_VARIABLES = {
    # Keep float32 exact: cuDNN and cuBLAS of MXNet's time round to TF32 by default on new GPUs.
    "NVIDIA_TF32_OVERRIDE": "0",
    # A cache large enough that the driver compiles an old build for a newer GPU only once.
    "CUDA_CACHE_MAXSIZE": str(1 << 32),
}


class NvidiaGpu:
    """One GPU; `nvml` is the module pynvml."""

    kind = KIND

    def __init__(self, nvml: Any, index: int) -> None:
        self._nvml = nvml
        self._handle = nvml.nvmlDeviceGetHandleByIndex(index)
        self.index = index
        self.uuid: str = nvml.nvmlDeviceGetUUID(self._handle)
        self.name: str = nvml.nvmlDeviceGetName(self._handle)
        self.memory_method = "device"

    def describe(self) -> dict[str, Any]:
        """The GPU for the record of a run; None is what could not be read.

        Name, UUID, driver, how memory was read, memory in bytes, power limit in watts and compute
        capability ("9.0").
        """
        capability = self._read("nvmlDeviceGetCudaComputeCapability")
        return {
            "name": self.name,
            "uuid": self.uuid,
            "driver": self._driver(),
            "memory_method": self.memory_method,
            "memory_bytes": self._read("nvmlDeviceGetMemoryInfo", pick=lambda memory: memory.total),
            "power_limit_watts": self._read("nvmlDeviceGetEnforcedPowerLimit", scale=1e-3),
            "compute_capability": "{}.{}".format(*capability) if capability else None,
        }

    def sample(self, pids: Set[int]) -> GpuSample:
        """Read the GPU; memory is that of the processes `pids` where NVML lists them.

        In a container, NVML may list pids of the host. Then memory is all memory in use on the
        device, and the number of other processes is None. Throttle reasons are the bits of
        `Throttle`.
        """
        used, others = self._memory_by_process(pids)
        if used:
            self.memory_method = "process"
        elif self.memory_method == "device":
            used = self._memory_of_all()
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
        """Power of the board; from Ampere on, except GA100, its mean over the last second."""
        watts: float | None = self._read("nvmlDeviceGetPowerUsage", scale=1e-3)
        return watts

    def _driver(self) -> str | None:
        try:
            version: str = self._nvml.nvmlSystemGetDriverVersion()
        except self._nvml.NVMLError:
            return None
        return version

    def _memory_by_process(self, pids: Set[int]) -> tuple[int | None, int | None]:
        """Bytes used by `pids`, and how many other processes compute on this GPU."""
        running = self._read("nvmlDeviceGetComputeRunningProcesses_v3")
        if running is None:  # drivers before 510, the last for Kepler among them, have no v3
            running = self._read("nvmlDeviceGetComputeRunningProcesses_v2")
        if running is None:
            return None, None
        matching = [process for process in running if process.pid in pids]
        used = sum(process.usedGpuMemory or 0 for process in matching)
        return used, len(running) - len(matching)

    def _memory_of_all(self) -> int | None:
        """Bytes in use, without those that the driver reserves where it tells them apart."""
        used: int | None = self._read(
            "nvmlDeviceGetMemoryInfo", self._nvml.nvmlMemory_v2, pick=lambda memory: memory.used
        )
        if used is None:  # the driver is older than the function's second version
            used = self._read("nvmlDeviceGetMemoryInfo", pick=lambda memory: memory.used)
        return used

    def _read(
        self,
        function: str,
        *arguments: int,
        scale: float | None = None,
        pick: Callable[[Any], Any] | None = None,
    ) -> Any:
        """The value of one NVML function; None where this GPU or driver doesn't give it."""
        try:
            value = getattr(self._nvml, function)(self._handle, *arguments)
        except self._nvml.NVMLError:
            return None
        value = pick(value) if pick else value
        return value * scale if scale else value


def find() -> list[NvidiaGpu]:
    """All GPUs of the machine; none without the library, the driver or the hardware."""
    return list(_gpus(import_module("pynvml")))  # slow to load, so only where a run uses GPUs


def why_unreadable() -> str | None:
    """NVML's error at its start: such as of a library of another version than the driver's."""
    nvml = import_module("pynvml")
    try:
        nvml.nvmlInit()
    except nvml.NVMLError_LibraryNotFound:
        return None
    except nvml.NVMLError as error:
        return f"NVML: {error}".rstrip(".")
    return None


def visible(gpus: Sequence[NvidiaGpu]) -> list[NvidiaGpu]:
    """The GPUs that CUDA_VISIBLE_DEVICES names, in that order; all where it isn't set."""
    return named(gpus, os.environ.get(VISIBLE[0]))


def worker_variables(gpus: Sequence[Gpu]) -> dict[str, str]:
    """Environment variables of a worker that sees these GPUs alone."""
    every = ",".join(gpu.uuid for gpu in gpus)
    return {**dict.fromkeys(VISIBLE, every), **WORKER_VARIABLES}


def _gpus(nvml: Any) -> Iterator[NvidiaGpu]:
    try:
        nvml.nvmlInit()
        count = nvml.nvmlDeviceGetCount()
    except nvml.NVMLError:
        return
    for index in range(count):
        try:
            gpu = NvidiaGpu(nvml, index)
        except nvml.NVMLError:  # this GPU doesn't answer any more
            continue
        yield gpu
