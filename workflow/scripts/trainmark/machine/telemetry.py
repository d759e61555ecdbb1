"""Telemetry: the run, its machine and its GPUs, sampled ten times a second."""

import csv
import io
import os
import re
import time
from collections.abc import Container, Sequence
from pathlib import Path
from typing import NamedTuple

from trainmark.machine.gpu import Gpu, GpuSample
from trainmark.machine.processes import PAGE_BYTES, TICKS_PER_SECOND, Descendants, content
from trainmark.machine.processor import Processor, Rapl

INTERVAL_SECONDS = 0.1
SWAPPED_PAGES = re.compile(rb"^pswp(?:in|out) (\d+)$", re.MULTILINE)


class Sample(NamedTuple):
    """One moment: cumulative CPU times, summed over cores; `time_seconds` is CLOCK_MONOTONIC."""

    time_seconds: float
    cpu_busy_seconds: float  # of the cores this process may use, since boot
    cpu_steal_seconds: float
    own_cpu_seconds: float  # the worker's process tree, ended children included
    launcher_cpu_seconds: float
    own_memory_bytes: int  # resident set of the tree
    swapped_bytes: int = 0  # in and out, of the whole machine, since boot
    own_system_seconds: float = 0.0  # the part of own_cpu_seconds in the kernel
    cpu_waiting_seconds: float = 0.0  # idle, while something waited for a disk
    own_read_bytes: int | None = None  # by the tree, from disks
    own_written_bytes: int | None = None
    network_received_bytes: int | None = None  # of the whole machine, since boot
    network_sent_bytes: int | None = None
    cpu_energy_joules: float | None = None
    cpu_megahertz: float | None = None
    cpu_throttles: int | None = None
    gpus: tuple[GpuSample, ...] = ()


COLUMNS = Sample._fields[:9]
OPTIONAL_COLUMNS = Sample._fields[9:16]


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
        self._interfaces = interfaces()
        self._deadline = time.monotonic()

    def take(self) -> None:
        """Take one sample now."""
        busy, steal, waiting = machine_cpu_seconds()
        moment = time.monotonic()
        usage = self._descendants.usage()
        read_bytes, written_bytes = self._descendants.disk_bytes(usage.pids) or (None, None)
        received_bytes, sent_bytes = network_bytes(self._interfaces) or (None, None)
        self.samples.append(
            Sample(
                time_seconds=moment,
                cpu_busy_seconds=busy,
                cpu_steal_seconds=steal,
                own_cpu_seconds=usage.cpu_seconds,
                launcher_cpu_seconds=time.process_time(),
                own_memory_bytes=usage.memory_bytes,
                swapped_bytes=swapped_bytes(),
                own_system_seconds=usage.system_seconds,
                cpu_waiting_seconds=waiting,
                own_read_bytes=read_bytes,
                own_written_bytes=written_bytes,
                network_received_bytes=received_bytes,
                network_sent_bytes=sent_bytes,
                cpu_energy_joules=self._rapl.joules() if self._rapl else None,
                cpu_megahertz=self._processor.megahertz(),
                cpu_throttles=self._processor.throttles(),
                gpus=tuple(gpu.sample(usage.pids) for gpu in self._gpus),
            )
        )

    def seconds_to_next(self) -> float:
        """Move on to the next deadline, skipping missed ones; returns the seconds until it."""
        now = time.monotonic()
        missed = max(0, int((now - self._deadline) / self._interval_seconds))
        self._deadline += (missed + 1) * self._interval_seconds
        return self._deadline - now


def machine_cpu_seconds(stat: Path = Path("/proc/stat")) -> tuple[float, float, float]:
    """Busy, stolen and waiting seconds, since boot, of the cores that this process may use.

    Waiting: the core was idle while a task that last ran on it waited for a disk.

    Source: proc(5); the time of guests is part of user.
    """
    allowed = {b"cpu%d" % number for number in os.sched_getaffinity(0)}
    busy = stolen = waiting = 0
    cores, _, _interrupts = content(stat).partition(b"\nintr")
    for line in cores.splitlines():
        name, *fields = line.split()
        if name in allowed:
            user, nice, system, _idle, waits, interrupts, soft_interrupts, steal, *_ = fields
            busy += sum(map(int, (user, nice, system, interrupts, soft_interrupts)))
            stolen += int(steal)
            waiting += int(waits)
    return busy / TICKS_PER_SECOND, stolen / TICKS_PER_SECOND, waiting / TICKS_PER_SECOND


def swapped_bytes(statistics: Path = Path("/proc/vmstat")) -> int:
    """Bytes that the machine swapped in and out since boot (proc(5))."""
    return PAGE_BYTES * sum(map(int, SWAPPED_PAGES.findall(content(statistics))))


def interfaces(folder: Path = Path("/sys/class/net")) -> set[bytes]:
    """The network interfaces with a device behind them; all traffic passes one of them once.

    A container sees no such interface: there, all interfaces but the loopback.
    """
    names = [path for path in folder.glob("*") if path.name != "lo"]
    devices = [path for path in names if (path / "device").exists()]
    return {path.name.encode() for path in devices or names}


def network_bytes(
    names: Container[bytes], table: Path = Path("/proc/net/dev")
) -> tuple[int, int] | None:
    """Bytes that these interfaces received and sent since boot (proc(5)); None if none exists.

    They are bytes of the whole machine: Linux counts by interface, not by process.
    """
    rows = (line.partition(b":") for line in content(table).splitlines()[2:])
    fields = [counts.split() for name, _, counts in rows if name.strip() in names]
    if not fields:
        return None
    return sum(int(each[0]) for each in fields), sum(int(each[8]) for each in fields)


def to_csv(samples: Sequence[Sample]) -> str:
    """The samples as CSV text: empty cells could not be read; empty columns are left out."""
    columns = [*COLUMNS, *(name for name in OPTIONAL_COLUMNS if _is_readable(samples, name))]
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


def _is_readable(samples: Sequence[Sample], column: str) -> bool:
    return any(getattr(sample, column) is not None for sample in samples)


def _cell(value: float | int | None) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
