"""What disturbed a run within its window: a pure function of its samples."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from trainmark.machine.cpu_load import RESOLUTION_SECONDS, Load, Window, rise
from trainmark.machine.gpu import GpuSample, Throttle
from trainmark.machine.telemetry import Sample

MEBIBYTE = 2**20

THROTTLED = (
    Throttle.HARDWARE | Throttle.SOFTWARE_THERMAL | Throttle.HARDWARE_THERMAL | Throttle.POWER_BRAKE
)
NORMAL = Throttle.POWER_LIMIT | Throttle.IDLE  # the clock follows


class Limits(NamedTuple):
    """How much may happen beside a run, or to its machine, before it counts as disturbed."""

    other_cpu: float  # cores that other processes use
    steal: float  # cores that the hypervisor takes
    swapped_mebibytes: float  # to disk and back, by whatever process
    clock_change: float  # share of the highest clock by which a slow spell lies below it


def disturbances(
    samples: Sequence[Sample], window: Window, found: Load, limits: Limits
) -> list[str]:
    """Say what went beyond the limits in the window, each in a few words; nothing if it was quiet.

    CPU times within the resolution of the kernel's counters are no disturbance.
    """
    within = [s for s in samples if window.start_seconds <= s.time_seconds <= window.end_seconds]
    return [
        *_cores(found.other_cpu, limits.other_cpu, window, "used by others"),
        *_cores(found.steal, limits.steal, window, "taken by the hypervisor"),
        *_swapping(samples, window, limits.swapped_mebibytes),
        *_throttling(samples, window),
        *_clock("CPU", [sample.cpu_megahertz for sample in within], limits.clock_change),
        *_gpus([sample.gpus for sample in within], limits.clock_change),
    ]


def _cores(cores: float, limit: float, window: Window, by_whom: str) -> Iterator[str]:
    if cores * window.seconds > limit * window.seconds + RESOLUTION_SECONDS:
        yield f"{cores:.2f} cores {by_whom}"


def _swapping(samples: Sequence[Sample], window: Window, limit: float) -> Iterator[str]:
    mebibytes = rise(samples, "swapped_bytes", window) / MEBIBYTE
    if mebibytes > limit:
        yield f"{mebibytes:,.1f} MiB swapped"


def _throttling(samples: Sequence[Sample], window: Window) -> Iterator[str]:
    known = [sample for sample in samples if sample.cpu_throttles is not None]
    if known and rise(known, "cpu_throttles", window):
        yield "the CPU throttled"


def _clock(what: str, megahertz: Sequence[float | None], limit: float) -> Iterator[str]:
    """Two samples make a spell: one slow or fast reading may fall between two steps."""
    known = [clock for clock in megahertz if clock]
    highest = max((min(pair) for pair in pairwise(known)), default=0.0)
    lowest = min((max(pair) for pair in pairwise(known)), default=highest)
    if lowest < (1 - limit) * highest:
        yield f"{what} clock between {lowest:,.0f} and {highest:,.0f} MHz"


def _gpus(moments: Sequence[tuple[GpuSample, ...]], clock_change: float) -> Iterator[str]:
    for index, readings in enumerate(zip(*moments, strict=True)):
        if any((reading.throttle_reasons or 0) & THROTTLED for reading in readings):
            yield f"GPU {index} throttled"
        if any(reading.other_processes for reading in readings):
            yield f"another process on GPU {index}"
        clocks = [
            reading.sm_megahertz
            for reading in readings
            if not (reading.throttle_reasons or 0) & NORMAL
        ]
        yield from _clock(f"GPU {index}", clocks, clock_change)
