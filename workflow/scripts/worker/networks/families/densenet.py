"""DenseNets of bottleneck layers that compress between their blocks (DenseNet-BC).

Batch normalisation and ReLU stand before each convolution. Images up to 64 pixels get a stem of one
3x3 convolution of stride 1 and no pooling, instead of 7x7 of stride 2 and a pooling of stride 2.
"""

from typing import Any, Sequence

from worker.networks.neutral.builder import Layer, Network

BOTTLENECK = 4  # how many times the growth rate the 1x1 convolution of a layer has channels


def define(net: Network, layers_of_blocks: Sequence[int], growth: int, channels: int) -> Layer:
    """Stem, blocks of so many layers with transitions between them, pooling, one dense layer."""
    x = small_stem(net, channels) if net.has_small_images else stem(net, channels)
    for block, layers in enumerate(layers_of_blocks, start=1):
        if block > 1:
            x = transition(net, f"transition{block - 1}", x)
        for number in range(1, layers + 1):
            x = dense_layer(net, f"block{block}/layer{number}", x, growth)
    x = norm_relu(net, "end", x)
    return net.dense("dense", net.global_average_pool("pool", x), net.classes)


def stem(net: Network, channels: int) -> Layer:
    """The stem for ImageNet: quarters the image."""
    x = net.conv("stem/conv", net.input, channels, kernel=7, stride=2, padding=3, bias=False)
    return net.max_pool("stem/pool", norm_relu(net, "stem", x), kernel=3, stride=2, padding=1)


def small_stem(net: Network, channels: int) -> Layer:
    """The stem for CIFAR: keeps the image's size."""
    x = net.conv("stem/conv", net.input, channels, kernel=3, padding=1, bias=False)
    return norm_relu(net, "stem", x)


def dense_layer(net: Network, name: str, x: Layer, growth: int) -> Layer:
    """1x1 and 3x3 convolutions, whose channels, as many as the growth rate, come behind x's."""
    y = norm_relu_conv(net, name + "/reduce", x, BOTTLENECK * growth, kernel=1)
    y = norm_relu_conv(net, name + "/spatial", y, growth, kernel=3, padding=1)
    return net.concat(name + "/concat", x, y)


def transition(net: Network, name: str, x: Layer) -> Layer:
    """A 1x1 convolution to half the channels, and a pooling to half the height and width."""
    y = norm_relu_conv(net, name, x, x.shape[0] // 2, kernel=1)
    return net.average_pool(name + "/pool", y, kernel=2, stride=2)


def norm_relu_conv(net: Network, name: str, x: Layer, channels: int, **settings: Any) -> Layer:
    """Batch normalisation, ReLU and a convolution without bias."""
    return net.conv(name + "/conv", norm_relu(net, name, x), channels, bias=False, **settings)


def norm_relu(net: Network, name: str, x: Layer) -> Layer:
    """Batch normalisation and ReLU."""
    return net.relu(name + "/relu", net.batch_norm(name + "/norm", x))
