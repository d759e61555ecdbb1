"""Whether the kernel killed a process for lack of memory, by the kernel's own counters."""

from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def kill_counts() -> list[int]:
    """The counters that can be read: the whole machine's and those of this process's cgroup.

    A container may hide the machine's, an old kernel has no cgroup's.
    """
    paths = [Path("/proc/vmstat"), *_cgroup_files(Path("/proc/self/cgroup"))]
    return [_count(path) for path in paths]


def kills(before: list[int], after: list[int]) -> int:
    """How many processes were killed between two readings."""
    return max(now - then for then, now in zip(before, after, strict=True))


def _cgroup_files(membership: Path) -> list[Path]:
    """Where versions 2 and 1 of cgroups keep the counter (cgroups(7))."""
    files = []
    lines = membership.read_text().splitlines() if membership.exists() else []
    for line in lines:
        _number, controllers, group = line.split(":", 2)
        if not controllers:
            files.append(CGROUPS / group.lstrip("/") / "memory.events")
        elif "memory" in controllers.split(","):
            files.append(CGROUPS / "memory" / group.lstrip("/") / "memory.oom_control")
    return files


def _count(path: Path) -> int:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return 0
    values = dict(line.split(maxsplit=1) for line in lines if " " in line)
    return int(values.get("oom_kill", 0))
