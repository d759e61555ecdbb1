"""Inverted residual blocks: wide between their 1x1 convolutions, with a depthwise one there."""

from typing import Callable

from worker.networks.neutral.builder import Layer, Network

Activation = Callable[[str, Layer], Layer]
"""A method of the network that adds an activation of that name behind a layer."""


def inverted_residual(
    net: Network,
    name: str,
    x: Layer,
    activation: Activation,
    expansion: int,
    channels: int,
    kernel: int,
    stride: int,
    squeezed: int = 0,
) -> Layer:
    """1x1 to more channels, depthwise, and 1x1 without activation; x is added if it fits.

    The depthwise convolution's channels are weighed by way of so many `squeezed` ones, if any.
    """
    y, width = x, expansion * x.shape[0]
    if expansion > 1:
        y = net.conv_norm(name + "/expand", y, width, kernel=1)
        y = activation(name + "/expand/activation", y)
    settings = dict(kernel=kernel, stride=stride, padding=kernel // 2, groups=width)
    y = net.conv_norm(name + "/depthwise", y, width, **settings)
    y = activation(name + "/depthwise/activation", y)
    if squeezed:
        y = squeeze_excite(net, name + "/excite", y, activation, squeezed)
    y = net.conv_norm(name + "/project", y, channels, kernel=1)
    return net.add(name + "/add", x, y) if x.shape == y.shape else y


def squeeze_excite(
    net: Network, name: str, x: Layer, activation: Activation, squeezed: int
) -> Layer:
    """Each channel times a factor that the means of all channels give (Hu et al. 2018)."""
    y = net.dense(name + "/squeeze", net.global_average_pool(name + "/pool", x), squeezed)
    y = net.dense(name + "/expand", activation(name + "/activation", y), x.shape[0])
    return net.multiply(name + "/multiply", x, net.sigmoid(name + "/sigmoid", y))
