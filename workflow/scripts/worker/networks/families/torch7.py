"""Layers with torch/nn's initial values: kernels and biases uniform up to 1 / sqrt(fan-in).

A tanh follows each of them but the last.
"""

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import uniform
from worker.networks.neutral.shapes import size_of


def conv_tanh(net: Network, name: str, x: Layer, channels: int, kernel: int) -> Layer:
    """A convolution without padding, and its tanh."""
    limit = (x.shape[0] * kernel * kernel) ** -0.5
    initial = uniform(limit), uniform(limit)
    x = net.conv(name, x, channels, kernel, gain=1, initial=initial)
    return net.tanh(name + "/tanh", x)


def dense_tanh(net: Network, name: str, x: Layer, units: int) -> Layer:
    """A dense layer and its tanh."""
    return net.tanh(name + "/tanh", dense(net, name, x, units))


def dense(net: Network, name: str, x: Layer, units: int) -> Layer:
    """A dense layer alone."""
    limit = size_of(x.shape) ** -0.5
    return net.dense(name, x, units, gain=1, initial=(uniform(limit), uniform(limit)))
