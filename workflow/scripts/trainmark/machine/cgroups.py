"""Control groups: where versions 2 and 1 keep the limits of this process (cgroups(7))."""

from pathlib import Path

from trainmark.machine import system_files

CGROUPS = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")


def folders(controller: str) -> list[Path]:
    """The folders of this process's groups that have a controller, or of version 2 all have."""
    groups = [line.split(":", 2)[1:] for line in system_files.text(MEMBERSHIP).splitlines()]
    return [
        CGROUPS / (controller if controllers else "") / group.lstrip("/")
        for controllers, group in groups
        if not controllers or controller in controllers.split(",")
    ]
