"""MobileNetV2 of width 1.0: inverted residual blocks around depthwise convolutions.

Images up to 64 pixels keep their size in the first convolution and in the second stage, which both
halve it otherwise, so that the last blocks see 4x4 for CIFAR.
"""

from worker.networks.families.inverted_residual import inverted_residual
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
    is_small = net.has_small_images
    x = net.conv_norm("stem", net.input, 32, kernel=3, stride=1 if is_small else 2, padding=1)
    x = net.relu6("stem/activation", x)
    for stage, (expansion, channels, blocks, stride) in enumerate(STAGES, start=1):
        for block in range(1, blocks + 1):
            settings = dict(expansion=expansion, channels=channels, kernel=3)
            settings["stride"] = stride if block == 1 and not (is_small and stage == 2) else 1
            x = inverted_residual(net, f"stage{stage}/block{block}", x, net.relu6, **settings)
    x = net.relu6("last/activation", net.conv_norm("last", x, 1280, kernel=1))
    x = net.dropout("dropout", net.global_average_pool("pool", x), rate=0.2)
    return net.dense("dense", x, net.classes)
