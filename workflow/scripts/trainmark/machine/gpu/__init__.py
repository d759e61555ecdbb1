"""GPUs: what trainmark asks any of them, whoever makes them.

A vendor is a module here, found by the kind of its devices (`worker.devices.GPUS`), with the
attributes of `Vendor`. Nothing else of the host knows a vendor: to add one takes its module, its
line in `worker.devices.GPUS`, and a test of the module.
"""

import os
from collections.abc import Mapping, Sequence, Set
from enum import IntFlag
from importlib import import_module
from itertools import takewhile
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from worker import devices


class GpuSample(NamedTuple):
    """One moment of one GPU; None is what could not be read."""

    memory_bytes: int | None
    power_watts: float | None
    energy_joules: float | None  # since the driver was loaded
    utilisation_percent: int | None
    sm_megahertz: int | None  # the clock of what computes
    temperature_celsius: int | None
    throttle_reasons: int | None  # the sum of `Throttle`s
    other_processes: int | None  # that compute on it


class Throttle(IntFlag):
    """Why a GPU's clock is below its highest, as telemetry.csv has it."""

    IDLE = 0x01
    POWER_LIMIT = 0x04  # at the power that it is made for
    HARDWARE = 0x08
    SOFTWARE_THERMAL = 0x20
    HARDWARE_THERMAL = 0x40
    POWER_BRAKE = 0x80


class Gpu(Protocol):
    """One GPU."""

    @property
    def kind(self) -> str:
        """The kind of devices that it is: one of `worker.devices.GPUS`."""

    @property
    def index(self) -> int:
        """Its number in its vendor's order."""

    @property
    def uuid(self) -> str:
        """Its name to the worker, and in the record of a run."""

    def describe(self) -> Mapping[str, Any]:
        """The GPU for the record of a run; None is what could not be read.

        name, uuid, driver, memory_method ("process" or "device"), memory_bytes, power_limit_watts,
        and what else the vendor tells.
        """

    def sample(self, pids: Set[int]) -> GpuSample:
        """Read it. Memory is that of the processes `pids`, or of all where it can't tell them."""

    def power_watts(self) -> float | None:
        """Power now; None where it can't be read."""


AnyGpu = TypeVar("AnyGpu", bound=Gpu)


class Vendor(Protocol):
    """The module of a vendor; its patterns are regular expressions of what frameworks print."""

    NAME: str
    DRIVER: str
    """The file of the driver's library, which a worker must find."""
    VISIBLE: Sequence[str]
    """The user's environment variables that leave some GPUs to a process."""
    OUT_OF_MEMORY: str
    OTHER_GPU: str
    """A build that has no code for this GPU."""
    OLD_DRIVER: str

    def find(self) -> Sequence[Gpu]:
        """All GPUs of the machine; none without the library, the driver or the hardware."""

    def why_unreadable(self) -> str | None:
        """Why GPUs can't be read where there is something of their driver; else None."""

    def visible(self, gpus: Sequence[Gpu]) -> Sequence[Gpu]:
        """The GPUs that the user leaves to this process, in the user's order."""

    def worker_variables(self, gpus: Sequence[Gpu]) -> dict[str, str]:
        """Environment variables of a worker that sees these GPUs alone."""


def vendor(kind: str) -> Vendor:
    """The vendor of a kind of devices ("cuda")."""
    return cast(Vendor, import_module(f"{__name__}.{devices.GPUS[kind]}"))


def vendors() -> list[Vendor]:
    """All vendors."""
    return [vendor(kind) for kind in devices.GPUS]


def for_device(device: str) -> list[Gpu]:
    """The GPUs that a run on a device ("cpu", "cuda:2") uses here, as far as there are enough."""
    kind = devices.gpu_kind(device)
    if kind is None:
        return []
    its_vendor = vendor(kind)
    return list(its_vendor.visible(its_vendor.find()))[: gpu_count(device)]


def named(gpus: Sequence[AnyGpu], names: str | None) -> list[AnyGpu]:
    """The GPUs that the user's list names by indices or UUIDs, in that order; all without a list.

    A GPU that is named twice appears once. The first entry that names no GPU ends the list, as it
    does for CUDA (CUDA C++ Programming Guide, CUDA environment variables).
    """
    if names is None:
        return list(gpus)
    entries = ([gpu for gpu in gpus if _is_named(gpu, entry.strip())] for entry in names.split(","))
    return list(dict.fromkeys(gpu for chosen in takewhile(bool, entries) for gpu in chosen))


def _is_named(gpu: Gpu, entry: str) -> bool:
    return entry == str(gpu.index) or (entry.startswith("GPU-") and gpu.uuid.startswith(entry))


def gpu_count(device: str) -> int:
    """How many GPUs each node of a device has."""
    return devices.shape(device)[2] if devices.gpu_kind(device) else 0


def lacking(device: str, gpus: Sequence[Gpu]) -> str | None:
    """Why the GPUs of a machine aren't enough for a device, in one line; None where they are."""
    count = gpu_count(device)
    if len(gpus) == count:
        return None
    available = {0: "is none", 1: "is one"}.get(len(gpus), f"are {len(gpus)}")
    message = f"{device} asks for {count} GPU{'s' if count > 1 else ''}, and there {available} here"
    its_vendor = vendor(devices.parts(device)[0])
    causes = [f"{name}={os.environ[name]}" for name in its_vendor.VISIBLE if name in os.environ]
    causes += filter(None, [its_vendor.why_unreadable()])
    return f"{message} ({', '.join(causes)})" if causes else message


def worker_variables(gpus: Sequence[Gpu]) -> dict[str, str]:
    """Environment variables of a worker that sees these GPUs and no other, of any vendor."""
    variables: dict[str, str] = {}
    for kind in devices.GPUS:
        variables |= vendor(kind).worker_variables([gpu for gpu in gpus if gpu.kind == kind])
    return variables
