"""One file per network: a function `define(net)` against the neutral builder."""

import importlib
from typing import Sequence

from worker.networks.neutral.builder import Network


def build(name: str, image_shape: Sequence[int], classes: int) -> Network:
    """The named network for images of (channels, height, width); raises shapes.WrongShape."""
    net = Network(image_shape, classes)
    importlib.import_module("worker.networks." + name).define(net)
    net.check_end()
    return net


def reads_bytes(name: str) -> bool:
    """Whether the named network takes pixels for bytes, 0 to 255, which it looks up in a table."""
    return getattr(importlib.import_module("worker.networks." + name), "READS_BYTES", False)
