"""AMD's GPUs, read through AMD SMI (the library behind amd-smi; its Python API reference).

Its module comes with ROCm, in /opt/rocm/share/amd_smi, and reads the structures of that release
alone. So it isn't a dependency: users install theirs. Written from documentation; no GPU ran it.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

from trainmark.machine.gpu import Gpu, GpuSample, named

KIND = "rocm"
NAME = "AMD"
DRIVER = "libamdhip64.so"
# Lists of indices or UUIDs: the second chooses among the GPUs that the first leaves (HIP
# documentation, GPU isolation techniques). HIP takes CUDA's where its own is unset or empty.
VISIBLE = VISIBLE_TO_ROCM, *VISIBLE_TO_HIP = (
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "CUDA_VISIBLE_DEVICES",
)
KERNEL_DRIVER = Path("/dev/kfd")
UNKNOWN, NO_TARGET = "N/A", "gfx0"

# Error messages of HIP and MIOpen (hip_runtime_api.h, miopen.h).
OUT_OF_MEMORY = r"hipErrorOutOfMemory\b|miopenStatusAllocFailed"
OTHER_GPU = r"hipErrorNoBinaryForGpu|hipErrorInvalidDeviceFunction"
OLD_DRIVER = r"hipErrorInsufficientDriver"


class AmdGpu:
    """One GPU; `smi` is the module amdsmi."""

    kind = KIND

    def __init__(self, smi: Any, handle: Any, index: int) -> None:
        self._smi = smi
        self._handle = handle
        self._board = self._read("amdsmi_get_gpu_asic_info") or {}
        # AMD SMI's order needn't be that of ROCm, whose lists of GPUs these are for.
        enumerated = self._read("amdsmi_get_gpu_enumeration_info") or {}
        number, uuid = enumerated.get("hip_id", UNKNOWN), enumerated.get("hip_uuid")
        self.index: int = index if number == UNKNOWN else number
        self.uuid: str = uuid or str(self.index)
        self.memory_method = "device"

    def describe(self) -> dict[str, Any]:
        """The GPU for the record of a run; None is what could not be read.

        Name, UUID, driver, how memory was read, memory in bytes, power limit in watts and the
        target that code for it is compiled for ("gfx942").
        """
        return {
            "name": self._of_board("market_name") or NAME,
            "uuid": self.uuid,
            "driver": self._read("amdsmi_get_gpu_driver_info", pick="driver_version"),
            "memory_method": self.memory_method,
            "memory_bytes": self._read("amdsmi_get_gpu_memory_total", self._vram),
            "power_limit_watts": self._read(
                "amdsmi_get_power_cap_info", pick="power_cap", scale=1e-6
            ),
            "compute_capability": self._of_board("target_graphics_version"),
        }

    def sample(self, pids: Set[int]) -> GpuSample:
        """Read the GPU; memory is that of the processes `pids` where AMD SMI lists them.

        Throttling isn't read, as its counters differ from release to release.
        """
        used, others = self._memory_by_process(pids)
        if used:
            self.memory_method = "process"
        elif self.memory_method == "device":
            used = self._read("amdsmi_get_gpu_memory_usage", self._vram)
        smi = self._smi
        return GpuSample(
            memory_bytes=used,
            power_watts=self.power_watts(),
            energy_joules=self._energy_joules(),
            utilisation_percent=self._read("amdsmi_get_gpu_activity", pick="gfx_activity"),
            sm_megahertz=self._read("amdsmi_get_clock_info", smi.AmdSmiClkType.GFX, pick="clk"),
            temperature_celsius=self._read(
                "amdsmi_get_temp_metric",
                smi.AmdSmiTemperatureType.HOTSPOT,
                smi.AmdSmiTemperatureMetric.CURRENT,
            ),
            throttle_reasons=None,
            other_processes=others if self.memory_method == "process" else None,
        )

    def power_watts(self) -> float | None:
        """Power of the socket now, or its mean on GPUs that tell no other."""
        information = self._read("amdsmi_get_power_info") or {}
        values = [information.get(f"{kind}_socket_power") for kind in ("current", "average")]
        return next((float(value) for value in values if value not in (None, UNKNOWN)), None)

    @property
    def _vram(self) -> Any:
        return self._smi.AmdSmiMemoryType.VRAM

    def _of_board(self, key: str) -> str | None:
        value = self._board.get(key)
        return None if value in (UNKNOWN, NO_TARGET) else value

    def _energy_joules(self) -> float | None:
        counted = self._read("amdsmi_get_energy_count") or {}
        # Early releases name the count `power`.
        count = counted.get("energy_accumulator", counted.get("power", UNKNOWN))
        microjoules = counted.get("counter_resolution", UNKNOWN)  # of one
        return None if UNKNOWN in (count, microjoules) else float(count * microjoules) * 1e-6

    def _memory_by_process(self, pids: Set[int]) -> tuple[int | None, int | None]:
        """Bytes used by `pids`, and how many other processes compute on this GPU."""
        running = self._read("amdsmi_get_gpu_process_list")
        # Early releases list handles, which tell nothing.
        if running is None or not all(isinstance(process, dict) for process in running):
            return None, None
        matching = [process for process in running if process["pid"] in pids]
        used = sum(process["memory_usage"]["vram_mem"] for process in matching)
        return used, len(running) - len(matching)

    def _read(
        self, function: str, *arguments: Any, pick: str | None = None, scale: float | None = None
    ) -> Any:
        """The value of one function; None where this GPU, driver or AMD SMI doesn't give it."""
        read: Callable[..., Any] | None = getattr(self._smi, function, None)
        if read is None:
            return None
        try:
            value = read(self._handle, *arguments)
        except self._smi.AmdSmiException:
            return None
        if pick:
            value = None if value.get(pick, UNKNOWN) == UNKNOWN else value[pick]
        return value * scale if scale and value is not None else value


def find() -> list[AmdGpu]:
    """All GPUs of the machine; none without the module, the driver or the hardware."""
    if not KERNEL_DRIVER.exists() or why_unreadable():
        return []
    return list(_gpus(import_module("amdsmi")))


def why_unreadable() -> str | None:
    """The error of amdsmi's import or of its start, where there is the kernel's driver."""
    if not KERNEL_DRIVER.exists():
        return None
    try:
        with redirect_stdout(sys.stderr):  # it prints where it finds no library
            smi = import_module("amdsmi")
    # Without its library, or with that of another release, its import raises one of the others.
    except (ImportError, KeyError, AttributeError) as error:
        return f"the installed ROCm's amdsmi can't be imported: {error!r}"
    try:
        smi.amdsmi_init()
    except smi.AmdSmiException as error:
        return f"AMD SMI: {error}"
    return None


def visible(gpus: Sequence[AmdGpu]) -> list[AmdGpu]:
    """The GPUs that the user's variables name, in that order; all where none of them is set."""
    left = named(gpus, os.environ.get(VISIBLE_TO_ROCM))
    lists = (os.environ.get(name) for name in VISIBLE_TO_HIP)
    chosen = next(filter(None, lists), None)
    if chosen is None:
        return left
    uuids = {str(position): gpu.uuid for position, gpu in enumerate(left)}
    return named(left, ",".join(uuids.get(entry.strip(), entry) for entry in chosen.split(",")))


def worker_variables(gpus: Sequence[Gpu]) -> dict[str, str]:
    """Environment variables of a worker that sees these GPUs alone."""
    every = ",".join(map(str, range(len(gpus))))
    visible_to_hip = {VISIBLE_TO_HIP[0]: every} if gpus else {}  # or CUDA's would count
    return {VISIBLE_TO_ROCM: ",".join(gpu.uuid for gpu in gpus), **visible_to_hip}


def _gpus(smi: Any) -> Iterator[AmdGpu]:
    try:
        handles = smi.amdsmi_get_processor_handles()
    except smi.AmdSmiException:
        return
    gpus = [AmdGpu(smi, handle, index) for index, handle in enumerate(handles)]
    yield from sorted(gpus, key=lambda gpu: gpu.index)
