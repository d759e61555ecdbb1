"""Device names: their kind, their number of devices, and the part of a batch for each."""

from typing import Tuple


def parts(device: str) -> Tuple[str, int]:
    """Return kind and number: ("cuda", 2) of "cuda:2", ("cpu", 1) of "cpu"."""
    kind, _, count = device.partition(":")
    return kind, int(count or 1)


def batch_size(whole: int, device: str) -> int:
    """Return how many images of a whole batch each device trains on."""
    return whole // parts(device)[1]


def threads(all_threads: int, device: str) -> int:
    """Return the threads of each device where each has a process of its own: at least one."""
    return max(1, all_threads // parts(device)[1])


def rows(size: int, rank: int, count: int) -> slice:
    """Return which of a batch's images fall to one of several devices, in their order.

    A batch of fewer images than devices leaves some with none.
    """
    return slice(size * rank // count, size * (rank + 1) // count)
