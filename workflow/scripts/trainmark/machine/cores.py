"""The cores that this process may use: those of its affinity, fewer where a cgroup limits its time.

A container of two CPUs on a large machine sees all cores, but may use the time of two alone.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from trainmark.machine import cgroups, system_files

UNLIMITED = ("max", "-1")
NAMES = ("cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us")
"""Files of a quota and its period in versions 2 and 1."""


def usable() -> int:
    """How many cores it may use at a time, at least one."""
    limits = [int(limit) for folder in cgroups.folders("cpu") for limit in _limits(folder)]
    return max(1, min([len(os.sched_getaffinity(0)), *limits]))


def _limits(folder: Path) -> Iterator[float]:
    """Cores' time by the limits of a group and of those around it, in versions 2 and 1."""
    for group in (folder, *folder.parents):
        if not group.is_relative_to(cgroups.CGROUPS):
            return
        words = " ".join(system_files.text(group / name) for name in NAMES).split()
        if words and words[0] not in UNLIMITED:
            quota, period = words
            yield int(quota) / int(period)
