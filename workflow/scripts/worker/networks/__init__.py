"""One file per network: a function `define(net)` against the neutral builder."""

import importlib

from worker.network import Network


def build(name, image_shape, classes):
    """The named network for images of (channels, height, width); raises network.WrongShape."""
    net = Network(image_shape, classes)
    importlib.import_module("worker.networks." + name).define(net)
    net.check_end()
    return net
