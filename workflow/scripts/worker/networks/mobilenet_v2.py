"""MobileNetV2 of width 1.0: inverted residual blocks around depthwise convolutions.

Images up to 64 pixels keep their size in the first convolution and in the second stage, which both
halve it otherwise, so that the last blocks see 4x4 for CIFAR.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Sandler et al. 2018, MobileNetV2: Inverted Residuals and Linear Bottlenecks, table 2"
PUBLISHED = {"3x224x224-1000": 3504872}
PUBLISHED_MULTIPLY_ADDS = {"3x224x224-1000": 0.301e9}

# Expansion, channels, blocks, stride of the first of them.
STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def define(net: Network) -> Layer:
    """A convolution, seven stages of blocks, a 1x1 convolution, pooling, one dense layer."""
    strides = [stride for *_, stride in STAGES]
    if net.has_small_images:
        strides[1] = 1
    x = net.conv_norm("stem", net.input, 32, 3, stride=1 if net.has_small_images else 2, padding=1)
    x = net.relu6("stem/relu6", x)
    for stage, ((expansion, channels, blocks, _), first) in enumerate(
        zip(STAGES, strides), start=1
    ):
        for block in range(1, blocks + 1):
            stride = first if block == 1 else 1
            x = inverted_residual(net, f"stage{stage}/block{block}", x, expansion, channels, stride)
    x = net.relu6("last/relu6", net.conv_norm("last", x, 1280, kernel=1))
    x = net.dropout("dropout", net.global_average_pool("pool", x), rate=0.2)
    return net.dense("dense", x, net.classes)


def inverted_residual(
    net: Network, name: str, x: Layer, expansion: int, channels: int, stride: int
) -> Layer:
    """1x1 to more channels, depthwise 3x3, and 1x1 without activation; x is added if it fits."""
    y, width = x, expansion * x.shape[0]
    if expansion > 1:
        y = net.relu6(name + "/expand/relu6", net.conv_norm(name + "/expand", y, width, kernel=1))
    settings = dict(kernel=3, stride=stride, padding=1, groups=width)
    y = net.conv_norm(name + "/depthwise", y, width, **settings)
    y = net.relu6(name + "/depthwise/relu6", y)
    y = net.conv_norm(name + "/project", y, channels, kernel=1)
    return net.add(name + "/add", x, y) if x.shape == y.shape else y
