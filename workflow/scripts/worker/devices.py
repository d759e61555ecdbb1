"""Device names: kind, number of devices and of nodes; and each device's part of a batch.

"cpu" is one processor, "cuda:4" four GPUs, "cuda:2x4" two nodes of four GPUs each.
"""

from typing import Optional, Tuple

Part = Tuple[int, int]
"""The number of a device or node, from 0, and how many there are."""
WHOLE = (0, 1)

GPUS = {"cuda": "nvidia"}
"""Kinds of GPUs, as frameworks call them, and the module of the host's machine.gpu that reads them.

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
    kind, _, count = device.partition(":")
    nodes, _, of_each = count.rpartition("x")
    return kind, int(nodes or 1), int(of_each or 1)


def parts(device: str) -> Tuple[str, int]:
    """Return kind and number of devices: ("cuda", 8) of "cuda:2x4", ("cpu", 1) of "cpu"."""
    kind, nodes, of_each = shape(device)
    return kind, nodes * of_each


def gpu_kind(device: str) -> Optional[str]:
    """Return the kind of a device's GPUs: "cuda" of "cuda:4"; None of processors."""
    kind, _ = parts(device)
    return kind if kind in GPUS else None


def batch_size(whole: int, device: str) -> int:
    """Return how many images of a whole batch each device trains on."""
    return whole // parts(device)[1]


def threads(all_threads: int, device: str) -> int:
    """Return the threads of each device where each has a process of its own: at least one.

    `all_threads` are those of one node.
    """
    return max(1, all_threads // shape(device)[2])


def rows(size: int, rank: int, count: int) -> slice:
    """Return the rows of a batch of `size` images that one of `count` devices has.

    A batch of fewer images than devices leaves some devices without any.
    """
    return slice(size * rank // count, size * (rank + 1) // count)
