"""Where this process's cores and memory lie: threads of a core, NUMA nodes.

Sources: numa(7), proc_pid_numa_maps(5); Documentation/ABI of Linux: sysfs-devices-system-cpu
(topology/thread_siblings_list) and sysfs-devices-system-node.
"""

import os
from collections.abc import Iterable
from pathlib import Path

SYSTEM = Path("/sys/devices/system")
MAPS = Path("/proc/self/numa_maps")
DEFAULT = "default"
"""The kernel's memory policy: memory of the node that a thread runs on."""


def described() -> str | None:
    """Such as "2 threads per core, 1 of 2 NUMA nodes, memory bind:0"; None where it can't be read.

    Of the cores that this process may use. A memory policy is named unless it is the kernel's own.
    """
    usable = os.sched_getaffinity(0)
    siblings = {_text(SYSTEM / f"cpu/cpu{core}/topology/thread_siblings_list") for core in usable}
    if "" in siblings:
        return None
    threads = round(len(usable) / len(siblings))
    parts = [f"{threads} thread{'s' * (threads != 1)} per core", *_nodes(usable), *_policy()]
    return ", ".join(parts)


def _nodes(usable: set[int]) -> Iterable[str]:
    """How many NUMA nodes the cores lie on; nothing on a kernel without them."""
    nodes = [folder for folder in SYSTEM.glob("node/node*") if _cores(folder)]
    if nodes:
        used = sum(1 for folder in nodes if _cores(folder) & usable)
        yield f"{used} of {len(nodes)} NUMA node{'s' * (len(nodes) != 1)}"


def _cores(node: Path) -> set[int]:
    return {int(path.name.removeprefix("cpu")) for path in node.glob("cpu[0-9]*")}


def _policy() -> Iterable[str]:
    """The memory policy of numactl(8) and its like, if there is one."""
    first_words = _text(MAPS).split(maxsplit=2)[:2]  # an address and the policy
    if len(first_words) == 2 and first_words[1] != DEFAULT:
        yield f"memory {first_words[1]}"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
