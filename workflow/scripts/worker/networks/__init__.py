"""One file per network: a function `define(net)` against the neutral builder."""

import importlib
from typing import Sequence

from worker.networks.neutral.builder import Network


def build(name: str, image_shape: Sequence[int], classes: int) -> Network:
    """The named network for images of (channels, height, width); raises shapes.WrongShape."""
    net = Network(image_shape, classes)
    importlib.import_module("worker.networks." + name).define(net)
    if is_language_model(name):
        net.check_tokens()
    else:
        net.check_end()
    return net


def reads_text(name: str) -> bool:
    """Whether the named network takes pixels for integers, which it looks up in a table."""
    return getattr(importlib.import_module("worker.networks." + name), "READS_TEXT", False)


def is_language_model(name: str) -> bool:
    """Whether the named network predicts, for each token, the token that follows it."""
    return getattr(importlib.import_module("worker.networks." + name), "LANGUAGE_MODEL", False)
