"""Telemetry: the run, its machine and its GPUs, sampled ten times a second."""

import csv
import io
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from trainmark.machine.gpu import Gpu, GpuSample
from trainmark.machine.processes import PAGE_BYTES, TICKS_PER_SECOND, Descendants
from trainmark.machine.processor import Processor
from trainmark.machine.rapl import Rapl

INTERVAL_SECONDS = 0.1
SWAPPED_PAGES = re.compile(rb"^pswp(?:in|out) (\d+)$", re.MULTILINE)


class Sample(NamedTuple):
    """One moment. CPU times are cumulative, over these cores; times are CLOCK_MONOTONIC."""

    time_seconds: float
    cpu_busy_seconds: float  # of the cores this process may use, since boot
    cpu_steal_seconds: float
    own_cpu_seconds: float  # the worker's process tree, ended children included
    launcher_cpu_seconds: float
    own_memory_bytes: int  # resident set of the tree
    swapped_bytes: int = 0  # in and out, of the whole machine, since boot
    cpu_energy_joules: float | None = None
    cpu_megahertz: float | None = None
    cpu_throttles: int | None = None
    gpus: tuple[GpuSample, ...] = ()


COLUMNS = Sample._fields[:7]
OPTIONAL_COLUMNS = Sample._fields[7:10]


class Sampler:
    """Takes samples of this process's descendants on a schedule of deadlines, without drift."""

    def __init__(
        self,
        descendants: Descendants,
        gpus: Sequence[Gpu],
        rapl: Rapl | None,
        interval_seconds: float = INTERVAL_SECONDS,
    ) -> None:
        self.samples: list[Sample] = []
        self._interval_seconds = interval_seconds
        self._descendants = descendants
        self._gpus = gpus
        self._rapl = rapl
        self._processor = Processor.find()
        self._deadline = time.monotonic()

    def take(self) -> None:
        """Take one sample now."""
        busy, steal = machine_cpu_seconds()
        moment = time.monotonic()
        own, memory_bytes, pids = self._descendants.usage()
        self.samples.append(
            Sample(
                time_seconds=moment,
                cpu_busy_seconds=busy,
                cpu_steal_seconds=steal,
                own_cpu_seconds=own,
                launcher_cpu_seconds=time.process_time(),
                own_memory_bytes=memory_bytes,
                swapped_bytes=swapped_bytes(),
                cpu_energy_joules=self._rapl.joules() if self._rapl else None,
                cpu_megahertz=self._processor.megahertz(),
                cpu_throttles=self._processor.throttles(),
                gpus=tuple(gpu.sample(pids) for gpu in self._gpus),
            )
        )

    def seconds_to_next(self) -> float:
        """Move on to the next deadline still ahead (missed ones are skipped); how far it is."""
        now = time.monotonic()
        missed = max(0, int((now - self._deadline) / self._interval_seconds))
        self._deadline += (missed + 1) * self._interval_seconds
        return self._deadline - now


def machine_cpu_seconds(stat: Path = Path("/proc/stat")) -> tuple[float, float]:
    """Busy and stolen seconds, since boot, of the cores that this process may use.

    Source: proc(5); guests are part of user.
    """
    own = {b"cpu%d" % number for number in os.sched_getaffinity(0)}
    busy = stolen = 0
    cores, _, _interrupts = stat.read_bytes().partition(b"\nintr")
    for line in cores.splitlines():
        name, *fields = line.split()
        if name in own:
            user, nice, system, _idle, _waiting, interrupts, soft_interrupts, steal, *_ = fields
            busy += sum(map(int, (user, nice, system, interrupts, soft_interrupts)))
            stolen += int(steal)
    return busy / TICKS_PER_SECOND, stolen / TICKS_PER_SECOND


def swapped_bytes(statistics: Path = Path("/proc/vmstat")) -> int:
    """Bytes that the machine swapped in and out since boot (proc(5))."""
    return PAGE_BYTES * sum(map(int, SWAPPED_PAGES.findall(statistics.read_bytes())))


def to_csv(samples: Sequence[Sample]) -> str:
    """The samples as CSV text; an empty cell could not be read, an absent column doesn't exist."""
    columns = [*COLUMNS, *(name for name in OPTIONAL_COLUMNS if _is_known(samples, name))]
    gpu_count = len(samples[0].gpus) if samples else 0
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    gpu_columns = [f"gpu{i}_{field}" for i in range(gpu_count) for field in GpuSample._fields]
    writer.writerow([*columns, *gpu_columns])
    for sample in samples:
        cells = [_cell(getattr(sample, column)) for column in columns]
        cells += [_cell(value) for gpu in sample.gpus for value in gpu]
        writer.writerow(cells)
    return text.getvalue()


def _is_known(samples: Sequence[Sample], column: str) -> bool:
    return any(getattr(sample, column) is not None for sample in samples)


def _cell(value: float | int | None) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
