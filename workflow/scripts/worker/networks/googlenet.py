"""GoogLeNet with local response normalisation and without its two auxiliary heads.

Poolings of stride 2 count windows that reach over the edge, as in Caffe. Images up to 64 pixels get
a stem that halves them once (a first convolution of 3x3 and stride 1, and no pooling after the
third) instead of three times, so that the inception modules see 16x16, 8x8 and 4x4 for CIFAR.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Szegedy et al. 2014, table 1, in the form of BVLC Caffe's models/bvlc_googlenet"
PUBLISHED = {"3x224x224-1000": 6998552}

# 1x1; reduction before 3x3, 3x3; reduction before 5x5, 5x5; 1x1 after pooling
INCEPTIONS = {
    "inception3a": (64, 96, 128, 16, 32, 32),
    "inception3b": (128, 128, 192, 32, 96, 64),
    "inception4a": (192, 96, 208, 16, 48, 64),
    "inception4b": (160, 112, 224, 24, 64, 64),
    "inception4c": (128, 128, 256, 24, 64, 64),
    "inception4d": (112, 144, 288, 32, 64, 64),
    "inception4e": (256, 160, 320, 32, 128, 128),
    "inception5a": (256, 160, 320, 32, 128, 128),
    "inception5b": (384, 192, 384, 48, 128, 128),
}
POOLED = ("inception3b", "inception4e")


def define(net: Network) -> Layer:
    """Stem, nine inception modules in three stages, global average pooling, one dense layer."""
    x = stem(net, is_small=net.has_small_images)
    for name, channels in INCEPTIONS.items():
        x = inception(net, name, x, *channels)
        if name in POOLED:
            x = halve(net, name + "/halve", x)
    x = net.dropout("dropout", net.global_average_pool("pool", x), rate=0.4)
    return net.dense("dense", x, net.classes)


def stem(net: Network, is_small: bool) -> Layer:
    """Three convolutions, two of them normalised."""
    first = dict(kernel=3, padding=1) if is_small else dict(kernel=7, stride=2, padding=3)
    x = halve(net, "pool1", net.conv_relu("conv1", net.input, 64, **first))
    x = net.conv_relu("conv2/reduce", net.lrn("norm1", x), 64, kernel=1)
    x = net.lrn("norm2", net.conv_relu("conv2", x, 192, kernel=3, padding=1))
    return x if is_small else halve(net, "pool2", x)


def inception(
    net: Network,
    name: str,
    x: Layer,
    one: int,
    three_reduced: int,
    three: int,
    five_reduced: int,
    five: int,
    pooled: int,
) -> Layer:
    """Four branches side by side: 1x1, 3x3, 5x5, and pooling."""
    y = net.conv_relu(name + "/3x3_reduce", x, three_reduced, kernel=1)
    z = net.conv_relu(name + "/5x5_reduce", x, five_reduced, kernel=1)
    p = net.max_pool(name + "/pool", x, kernel=3, stride=1, padding=1)
    return net.concat(
        name + "/concat",
        net.conv_relu(name + "/1x1", x, one, kernel=1),
        net.conv_relu(name + "/3x3", y, three, kernel=3, padding=1),
        net.conv_relu(name + "/5x5", z, five, kernel=5, padding=2),
        net.conv_relu(name + "/pool_projection", p, pooled, kernel=1),
    )


def halve(net: Network, name: str, x: Layer) -> Layer:
    """Pooling of 3x3 and stride 2."""
    return net.max_pool(name, x, kernel=3, stride=2, partial=True)
