"""Device names: kind, number of devices and of nodes; and each device's part of a batch.

"cpu" is one processor, "cuda:4" four GPUs, "cuda:2x4" two nodes of four GPUs each.
"""

from typing import Optional, Tuple

Part = Tuple[int, int]
"""The number of a device or node, from 0, and the number of all devices or nodes."""
WHOLE = (0, 1)

GPUS = {"cuda": "nvidia", "rocm": "amd"}
"""Modules of the host's machine.gpu that read GPUs, by the GPUs' kind in frameworks' names.

The build of an environment for a kind is called `<environment>-<kind>`.
"""

_ONE_OR_MORE, _TWO_OR_MORE = "[1-9][0-9]*", "([2-9]|[1-9][0-9]+)"
_KINDS = "|".join(GPUS)
PATTERN = (
    f"^(cpu(:{_TWO_OR_MORE})?|({_KINDS}):{_ONE_OR_MORE}"
    f"|(cpu|{_KINDS}):{_TWO_OR_MORE}x{_ONE_OR_MORE})$"
)
"""The regular expression of all names of devices."""


def shape(device: str) -> Tuple[str, int, int]:
    """Return kind, number of nodes and devices per node: ("cuda", 2, 4) of "cuda:2x4"."""
    kind, _, counts = device.partition(":")
    nodes, _, node_devices = counts.rpartition("x")
    return kind, int(nodes or 1), int(node_devices or 1)


def parts(device: str) -> Tuple[str, int]:
    """Return kind and number of devices: ("cuda", 8) of "cuda:2x4", ("cpu", 1) of "cpu"."""
    kind, nodes, node_devices = shape(device)
    return kind, nodes * node_devices


def gpu_kind(device: str) -> Optional[str]:
    """Return the kind of a device's GPUs: "cuda" for "cuda:4"; None for processors."""
    kind, _ = parts(device)
    return kind if kind in GPUS else None


def batch_size(whole: int, device: str) -> int:
    """Return the number of images per device of a batch of `whole` images."""
    return whole // parts(device)[1]


def threads(all_threads: int, device: str) -> int:
    """Return the number of threads per device, at least one, if each device has its own process.

    all_threads: the number of threads on each node.
    """
    return max(1, all_threads // shape(device)[2])


def rows(size: int, rank: int, count: int) -> slice:
    """Return the rows of the device `rank`, of `count` devices, in a batch of `size` images.

    If a batch has fewer images than devices, some devices have no rows.
    """
    return slice(size * rank // count, size * (rank + 1) // count)
