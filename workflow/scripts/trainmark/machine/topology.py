"""Where this process's cores and memory lie: threads of a core, NUMA nodes.

Sources: numa(7), proc_pid_numa_maps(5); Documentation/ABI of Linux: sysfs-devices-system-cpu
(topology/thread_siblings_list) and sysfs-devices-system-node.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from trainmark.machine import system_files

SYSTEM = Path("/sys/devices/system")
MAPS = Path("/proc/self/numa_maps")
POLICY = re.compile(r"\S+ (?!default)(prefer \(many\)\S*|weighted interleave\S*|\S+)")
"""A line's address and its policy; by default memory is of the node that a thread runs on."""


def description() -> str | None:
    """Such as "8 threads of 4 cores, 1 of 2 NUMA nodes, memory bind:0"; None if nothing is known.

    Of the threads that this process may use. A memory policy is named unless it is the kernel's
    own.
    """
    threads = os.sched_getaffinity(0)
    return ", ".join([*_cores(threads), *_nodes(threads), *_policy()]) or None


def _cores(threads: set[int]) -> Iterable[str]:
    lists = (f"cpu/cpu{thread}/topology/thread_siblings_list" for thread in threads)
    cores = {system_files.text(SYSTEM / name) for name in lists}
    if "" not in cores:
        yield f"{_counted(len(threads), 'thread')} of {_counted(len(cores), 'core')}"


def _nodes(threads: set[int]) -> Iterable[str]:
    """How many NUMA nodes the threads lie on, of those with any; nothing without them."""
    folders = SYSTEM.glob("node/node*")
    nodes = list(filter(None, map(_threads_of_node, folders)))
    if nodes:
        used = sum(bool(of_node & threads) for of_node in nodes)
        yield f"{used} of {_counted(len(nodes), 'NUMA node')}"


def _threads_of_node(folder: Path) -> set[int]:
    return {int(path.name.removeprefix("cpu")) for path in folder.glob("cpu[0-9]*")}


def _policy() -> Iterable[str]:
    """The memory policy of numactl(8) and its like, if there is one."""
    if policy := POLICY.match(system_files.text(MAPS)):
        yield f"memory {policy[1]}"


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'s' * (count != 1)}"
