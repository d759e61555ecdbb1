"""Processes, as Linux shows them under /proc (see proc(5)): CPU time, memory, disk, children.

Read directly rather than through psutil: ten times a second, only the run's own processes.
"""

import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import NamedTuple

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PART_BYTES = 65536
NAMED_SIGNALS = {*signal.Signals}
SEEK_SECONDS = 1.0  # for emulated kernels, which may not count new processes in /proc/loadavg


class Process(NamedTuple):
    """One reading of /proc/<pid>/stat."""

    pid: int
    state: str
    parent: int
    cpu_seconds: float  # includes its children that ended and were waited for
    system_seconds: float  # the part of cpu_seconds in the kernel
    memory_bytes: int  # resident


class Usage(NamedTuple):
    """Resources that processes used since they began, ended ones included, and their pids."""

    cpu_seconds: float
    system_seconds: float  # the part of cpu_seconds in the kernel
    memory_bytes: int  # resident
    pids: set[int]


def content(path: str | Path) -> bytes:
    """The content of a file under /proc; raises OSError.

    System calls alone take half the time of Path.read_bytes.
    """
    text, file = b"", os.open(path, os.O_RDONLY)
    try:
        while part := os.read(file, PART_BYTES):
            text += part
    finally:
        os.close(file)
    return text


def read(pid: int) -> Process | None:
    """The state of a process; None if there is none."""
    try:
        stat = content(f"/proc/{pid}/stat")
    except OSError:
        return None
    fields = stat[stat.rindex(b")") + 2 :].split()  # the name before it may hold anything
    user, system, reaped_user, reaped_system = (int(field) for field in fields[11:15])
    return Process(
        pid=pid,
        state=fields[0].decode(),
        parent=int(fields[1]),
        cpu_seconds=(user + system + reaped_user + reaped_system) / TICKS_PER_SECOND,
        system_seconds=(system + reaped_system) / TICKS_PER_SECOND,
        memory_bytes=int(fields[21]) * PAGE_BYTES,
    )


def disk_bytes(pid: int) -> tuple[int, int]:
    """Bytes that a process read from disks and wrote to them; 0 if the process has ended.

    Its children that ended and were waited for are included. Reads from the page cache don't
    count; a write counts when a page is changed. Raises PermissionError for another user's process.
    """
    try:
        fields = content(f"/proc/{pid}/io").split()
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    return int(fields[9]), int(fields[11])


def children(pid: int) -> list[int]:
    """The pids of a process's children, zombies included."""
    pids: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 (Path objects cost more)
    except OSError:  # the process has ended meanwhile
        return pids
    for thread in threads:
        with suppress(OSError):  # the thread has ended meanwhile
            pids += map(int, content(f"/proc/{pid}/task/{thread}/children").split())
    return pids


def newest() -> bytes:
    """The pid of the newest process or thread of the whole machine, as text (proc(5))."""
    return content("/proc/loadavg").split()[-1]


class Descendants:
    """All processes that this one starts from now on, orphans included (runs/launch.py)."""

    def __init__(self) -> None:
        self._before = set(children(os.getpid()))
        self._reaped_before = _reaped_seconds()
        self._cpu_seconds = self._system_seconds = 0.0
        self._has_disk_counters = Path("/proc/self/io").exists()
        self._read_bytes = self._written_bytes = 0
        self._pids: list[int] = []
        self._newest, self._sought_seconds = b"", -inf

    def processes(self) -> list[Process]:
        """The present descendants, parents before children."""
        processes = []
        pending = [pid for pid in children(os.getpid()) if pid not in self._before]
        while pending:
            process = read(pending.pop())
            if process:
                processes.append(process)
                pending += children(process.pid)
        return processes

    def usage(self) -> Usage:
        """Resources that the descendants used until now."""
        processes = self._current_processes()
        reaped, reaped_system = _reaped_seconds()
        cpu_seconds = sum((each.cpu_seconds for each in processes), reaped - self._reaped_before[0])
        system_seconds = sum(
            (each.system_seconds for each in processes), reaped_system - self._reaped_before[1]
        )
        # A process that ends between the two readings is missing from both sums: never count back.
        self._cpu_seconds = max(self._cpu_seconds, cpu_seconds)
        self._system_seconds = max(self._system_seconds, system_seconds)
        memory_bytes = sum(each.memory_bytes for each in processes)
        pids = {each.pid for each in processes}
        return Usage(self._cpu_seconds, self._system_seconds, memory_bytes, pids)

    def disk_bytes(self, pids: Iterable[int]) -> tuple[int, int] | None:
        """Bytes that the descendants read from disks and wrote to them; `pids` are from usage().

        None where Linux doesn't count these bytes, or hides those of another user's process.
        """
        if not self._has_disk_counters:
            return None
        try:
            counted = [disk_bytes(pid) for pid in pids]
        except PermissionError:
            return None
        self._read_bytes = max(self._read_bytes, sum(count[0] for count in counted))
        self._written_bytes = max(self._written_bytes, sum(count[1] for count in counted))
        return self._read_bytes, self._written_bytes

    def _current_processes(self) -> list[Process]:
        """The present descendants, searched again if anything was started or a second has passed.

        Searching each thread for its children would be most of the cost of a sample.
        """
        latest, now = newest(), time.monotonic()
        if latest == self._newest and now - self._sought_seconds < SEEK_SECONDS:
            return [process for process in map(read, self._pids) if process]
        processes = self.processes()
        self._pids = [process.pid for process in processes]
        self._newest, self._sought_seconds = latest, now
        return processes

    def running(self) -> list[Process]:
        """The descendants that have not ended."""
        return [process for process in self.processes() if process.state not in "ZX"]

    def kill(self) -> bool:
        """Send SIGKILL to all descendants; False if none was running."""
        running = self.running()
        for process in running:
            send(process.pid, signal.SIGKILL)
        return bool(running)

    def reap(self) -> None:
        """Wait for the ended descendants, so that none stays a zombie."""
        for pid in set(children(os.getpid())) - self._before:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue


def send(pid: int, number: int, *, group: bool = False) -> None:
    """Send a signal to a process, or to a whole group; one that has ended is no error."""
    try:
        (os.killpg if group else os.kill)(pid, number)
    except ProcessLookupError:
        return


def signal_name(number: int) -> str:
    """The name of a signal; a real-time signal has a number alone (signal(7))."""
    return signal.Signals(number).name if number in NAMED_SIGNALS else f"signal {number}"


def _reaped_seconds() -> tuple[float, float]:
    """CPU seconds of this process's ended children: all of them, and the part in the kernel."""
    times = os.times()
    return times.children_user + times.children_system, times.children_system
