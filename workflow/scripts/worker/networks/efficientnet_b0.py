"""EfficientNet-B0, without stochastic depth: inverted residual blocks with squeeze and excitation.

Batch normalisation has the epsilon and the momentum of all our networks, as in torchvision. Images
up to 64 pixels keep their size in the first convolution and in the second stage, which both halve
it otherwise, so that the last blocks see 4x4 for CIFAR.
"""

from worker.networks.families.inverted_residual import inverted_residual
from worker.networks.neutral.builder import Layer, Network

SOURCE = "Tan and Le 2019, EfficientNet: Rethinking Model Scaling, table 1"
PUBLISHED = {"3x224x224-1000": 5288548}
PUBLISHED_MULTIPLY_ADDS = {"3x224x224-1000": 0.386e9}

# Expansion, kernel, channels, blocks, stride of the first of them.
STAGES = (
    (1, 3, 16, 1, 1),
    (6, 3, 24, 2, 2),
    (6, 5, 40, 2, 2),
    (6, 3, 80, 3, 2),
    (6, 5, 112, 3, 1),
    (6, 5, 192, 4, 2),
    (6, 3, 320, 1, 1),
)


def define(net: Network) -> Layer:
    """A convolution, seven stages of blocks, a 1x1 convolution, pooling, one dense layer."""
    is_small = net.has_small_images
    x = net.conv_norm("stem", net.input, 32, kernel=3, stride=1 if is_small else 2, padding=1)
    x = net.silu("stem/activation", x)
    for stage, (expansion, kernel, channels, blocks, stride) in enumerate(STAGES, start=1):
        for block in range(1, blocks + 1):
            settings = dict(expansion=expansion, channels=channels, kernel=kernel)
            settings["stride"] = stride if block == 1 and not (is_small and stage == 2) else 1
            settings["squeezed"] = x.shape[0] // 4
            x = inverted_residual(net, f"stage{stage}/block{block}", x, net.silu, **settings)
    x = net.silu("last/activation", net.conv_norm("last", x, 1280, kernel=1))
    x = net.dropout("dropout", net.global_average_pool("pool", x), rate=0.2)
    return net.dense("dense", x, net.classes)
