"""ResNet-20 for images of 32x32 pixels: nine basic blocks of 16, 32 and 64 channels.

Where shapes differ, the shortcut is a projection (a 1x1 convolution and batch norm), as the paper
has it for ImageNet and Keras's example for CIFAR-10. The paper's network for CIFAR-10 pads with
zeros there, and has 0.27 million parameters, too.
"""

from worker.networks.families import resnet
from worker.networks.neutral.builder import Layer, Network

SOURCE = "He et al. 2015, Deep Residual Learning for Image Recognition, section 4.2"
# The paper's without projections 269,722, and these: 16 * 32 + 2 * 32 and 32 * 64 + 2 * 64.
PUBLISHED = {"3x32x32-10": 272474}


def define(net: Network) -> Layer:
    """A stem of 16 channels, three stages of three blocks, and a dense layer."""
    x = net.conv_norm("stem", net.input, 16, kernel=3, padding=1)
    x = net.relu("stem/relu", x)
    for stage, width in enumerate((16, 32, 64), start=1):
        for block in (1, 2, 3):
            stride = 2 if stage > 1 and block == 1 else 1
            x = resnet.basic(net, f"stage{stage}/block{block}", x, width, stride)
    return net.dense("dense", net.global_average_pool("pool", x), net.classes)
