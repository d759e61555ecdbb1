"""Disturbances: the list of their kinds, and a check for them in a span of a run.

To add a kind, add it to DISTURBANCES and to the table in docs/method/noise.md. If it has a limit,
add this to `Limits` and, with its default, to `limits` in workflow/schemas/config.schema.json.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from trainmark.machine.cpu_load import RESOLUTION_SECONDS, Load, Window, rise
from trainmark.machine.gpu import GpuSample, Throttle
from trainmark.machine.telemetry import Sample

MEBIBYTE = 2**20

THROTTLED = (
    Throttle.HARDWARE | Throttle.SOFTWARE_THERMAL | Throttle.HARDWARE_THERMAL | Throttle.POWER_BRAKE
)
NORMAL = Throttle.POWER_LIMIT | Throttle.IDLE  # the clock changes with the load: no disturbance


class Limits(NamedTuple):
    """Limits of disturbances, by the disturbances' names: the key `limits` of a machine."""

    other_cpu: float
    steal: float
    swapped_mebibytes: float
    clock_change: float


class Span(NamedTuple):
    """A span of a run, with its samples and those around it, which interpolation needs."""

    samples: Sequence[Sample]
    window: Window
    load: Load

    @property
    def within(self) -> list[Sample]:
        """The samples in the span."""
        start, end = self.window
        return [sample for sample in self.samples if start <= sample.time_seconds <= end]

    @property
    def gpus(self) -> list[tuple[GpuSample, ...]]:
        """The samples of each GPU in the span."""
        return list(zip(*(sample.gpus for sample in self.within), strict=True))


Seen = Callable[[Span, float], Iterator[str]]


class Disturbance(NamedTuple):
    """One kind of disturbance.

    Attributes:
        name: its name, also the name of its limit if it has one.
        meaning: the quantity that is counted or compared, in the words of the documents.
        unit: the limit's unit; None without a limit, where any occurrence counts.
        seen: gives a message for each excess over a limit (0 for any occurrence) in a span.

    """

    name: str
    meaning: str
    unit: str | None
    seen: Seen


def disturbances(
    samples: Sequence[Sample], window: Window, load: Load, limits: Limits
) -> list[str]:
    """A message for each excess over the limits in a window; none if it was quiet.

    `load` is the window's load. CPU times within the resolution of the kernel's counters are no
    disturbance.
    """
    span, numbers = Span(samples, window, load), limits._asdict()
    return [
        message
        for disturbance in DISTURBANCES
        for message in disturbance.seen(span, numbers.get(disturbance.name, 0.0))
    ]


def _other_cpu(span: Span, limit: float) -> Iterator[str]:
    yield from _cores(span.load.other_cpu, limit, span.window, "used by others")


def _steal(span: Span, limit: float) -> Iterator[str]:
    yield from _cores(span.load.steal, limit, span.window, "taken by the hypervisor")


def _cores(cores: float, limit: float, window: Window, by_whom: str) -> Iterator[str]:
    if cores * window.seconds > limit * window.seconds + RESOLUTION_SECONDS:
        yield f"{cores:.2f} cores {by_whom}"


def _swapping(span: Span, limit: float) -> Iterator[str]:
    mebibytes = rise(span.samples, "swapped_bytes", span.window) / MEBIBYTE
    if mebibytes > limit:
        yield f"{mebibytes:,.1f} MiB swapped"


def _throttled_cpu(span: Span, limit: float) -> Iterator[str]:
    counted = [sample for sample in span.samples if sample.cpu_throttles is not None]
    if counted and rise(counted, "cpu_throttles", span.window) > limit:
        yield "the CPU throttled"


def _clock_change(span: Span, limit: float) -> Iterator[str]:
    yield from _clock("CPU", [sample.cpu_megahertz for sample in span.within], limit)
    for index, readings in enumerate(span.gpus):
        clocks = [each.sm_megahertz for each in readings if not _has(each, NORMAL)]
        yield from _clock(f"GPU {index}", clocks, limit)


def _clock(what: str, megahertz: Sequence[float | None], limit: float) -> Iterator[str]:
    """Compare pairs of samples: a single slow or fast reading may fall between two steps."""
    clocks = [clock for clock in megahertz if clock]
    highest = max((min(pair) for pair in pairwise(clocks)), default=0.0)
    lowest = min((max(pair) for pair in pairwise(clocks)), default=highest)
    if lowest < (1 - limit) * highest:
        yield f"{what} clock between {lowest:,.0f} and {highest:,.0f} MHz"


def _throttled_gpu(span: Span, _limit: float) -> Iterator[str]:
    for index, readings in enumerate(span.gpus):
        if any(_has(reading, THROTTLED) for reading in readings):
            yield f"GPU {index} throttled"


def _shared_gpu(span: Span, limit: float) -> Iterator[str]:
    for index, readings in enumerate(span.gpus):
        if any((reading.other_processes or 0) > limit for reading in readings):
            yield f"another process on GPU {index}"


def _has(reading: GpuSample, reasons: Throttle) -> bool:
    return bool((reading.throttle_reasons or 0) & reasons)


DISTURBANCES = (
    Disturbance(
        "other_cpu",
        "cores used by other processes, of those that the run may use",
        "cores",
        _other_cpu,
    ),
    Disturbance("steal", "cores taken by the hypervisor", "cores", _steal),
    Disturbance("swapped_mebibytes", "memory swapped to disk and back", "MiB", _swapping),
    Disturbance("throttled_cpu", "a throttled CPU", None, _throttled_cpu),
    Disturbance(
        "clock_change",
        "a period of a slower clock, of CPU or GPU, below the window's highest",
        "of it",
        _clock_change,
    ),
    Disturbance("throttled_gpu", "a GPU throttled by heat or power brake", None, _throttled_gpu),
    Disturbance("shared_gpu", "another process on a GPU", None, _shared_gpu),
)
"""All kinds of disturbances, in the order of docs/method/noise.md."""
