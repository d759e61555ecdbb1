"""Processes as Linux tells of them under /proc (see proc(5)): identity, CPU time, memory, children.

Read directly rather than through psutil: ten times a second, only the run's own processes.
"""

import os
import signal
import time
from math import inf
from pathlib import Path
from typing import NamedTuple

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
SEEK_SECONDS = 1.0  # where a kernel's stand-in doesn't count what it starts


class Process(NamedTuple):
    """One reading of /proc/<pid>/stat."""

    pid: int
    state: str
    parent: int
    cpu_seconds: float
    reaped_cpu_seconds: float  # of its children that ended and were waited for
    memory_bytes: int


def read(pid: int) -> Process | None:
    """The state of a process; None if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    fields = stat[stat.rindex(b")") + 2 :].split()  # the name before it may hold anything
    user, system, reaped_user, reaped_system = (int(field) for field in fields[11:15])
    return Process(
        pid=pid,
        state=fields[0].decode(),
        parent=int(fields[1]),
        cpu_seconds=(user + system) / TICKS_PER_SECOND,
        reaped_cpu_seconds=(reaped_user + reaped_system) / TICKS_PER_SECOND,
        memory_bytes=int(fields[21]) * PAGE_BYTES,
    )


def children(pid: int) -> list[int]:
    """The pids of a process's children, zombies included."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (Path objects cost more)
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as stream:  # noqa: PTH123
                found += [int(child) for child in stream.read().split()]
    except OSError:  # the process or the thread has ended meanwhile
        pass
    return found


def newest(loadavg: Path = Path("/proc/loadavg")) -> bytes:
    """The number of the process or thread that was made last, on the whole machine (proc(5))."""
    return loadavg.read_bytes().split()[-1]


class Descendants:
    """All processes that this one starts from now on, orphans included (runs/launch.py)."""

    def __init__(self) -> None:
        self._before = set(children(os.getpid()))
        self._reaped_before = _reaped_cpu_seconds()
        self._cpu_seconds = 0.0
        self._known: list[int] = []
        self._newest, self._sought_seconds = b"", -inf

    def processes(self) -> list[Process]:
        """Those there are now, parents before children."""
        found = []
        pending = [pid for pid in children(os.getpid()) if pid not in self._before]
        while pending:
            process = read(pending.pop())
            if process:
                found.append(process)
                pending += children(process.pid)
        return found

    def usage(self) -> tuple[float, int, set[int]]:
        """CPU seconds since the start (ended ones included), resident bytes now, and pids."""
        cpu_seconds = _reaped_cpu_seconds() - self._reaped_before
        memory_bytes, pids = 0, set()
        for process in self._known_processes():
            cpu_seconds += process.cpu_seconds + process.reaped_cpu_seconds
            memory_bytes += process.memory_bytes
            pids.add(process.pid)
        # one that ended between two readings is missing from both: never count backwards
        self._cpu_seconds = max(self._cpu_seconds, cpu_seconds)
        return self._cpu_seconds, memory_bytes, pids

    def _known_processes(self) -> list[Process]:
        """Those there are now, sought anew where anything was started since, or a second passed.

        To look at each thread for its children is most of what a sample would cost.
        """
        latest, now = newest(), time.monotonic()
        if latest == self._newest and now - self._sought_seconds < SEEK_SECONDS:
            return [process for process in map(read, self._known) if process]
        found = self.processes()
        self._known = [process.pid for process in found]
        self._newest, self._sought_seconds = latest, now
        return found

    def running(self) -> list[Process]:
        """Those that have not ended."""
        return [process for process in self.processes() if process.state not in "ZX"]

    def kill(self) -> bool:
        """Send SIGKILL to all; False if there was none left to kill."""
        running = self.running()
        for process in running:
            send(process.pid, signal.SIGKILL)
        return bool(running)

    def reap(self) -> None:
        """Wait for the ended ones, so that none stays a zombie."""
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


def _reaped_cpu_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system
