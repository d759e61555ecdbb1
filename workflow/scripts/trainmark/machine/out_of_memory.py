"""Whether the kernel killed a process for lack of memory, by the kernel's own counters."""

from pathlib import Path

from trainmark.machine import cgroups, system_files

COUNTERS = ("memory.events", "memory.oom_control")
"""The file with the counter in versions 2 and 1 of cgroups (cgroups(7))."""


def kill_counts() -> list[int]:
    """The counters that can be read: the whole machine's and those of this process's cgroup.

    A container may hide the machine's, an old kernel has no cgroup's.
    """
    groups = cgroups.folders("memory")
    paths = [Path("/proc/vmstat"), *(group / name for group in groups for name in COUNTERS)]
    return [_count(path) for path in paths]


def kills(before: list[int], after: list[int]) -> int:
    """How many processes were killed between two readings."""
    return max(now - then for then, now in zip(before, after, strict=True))


def _count(path: Path) -> int:
    lines = system_files.text(path).splitlines()
    values = dict(line.split(maxsplit=1) for line in lines if " " in line)
    return int(values.get("oom_kill", 0))
