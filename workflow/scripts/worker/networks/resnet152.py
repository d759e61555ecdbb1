"""ResNet-152: bottleneck blocks of 3, 8, 36 and 3, which families/resnet.py describes."""

from worker.networks.families import resnet
from worker.networks.neutral.builder import Layer, Network

SOURCE = "He et al. 2015, Deep Residual Learning for Image Recognition, table 1"
PUBLISHED = {"3x224x224-1000": 60192808}
PUBLISHED_MULTIPLY_ADDS = {"3x224x224-1000": 11.514e9}

BLOCKS = (3, 8, 36, 3)


def define(net: Network) -> Layer:
    """Stages of 3, 8, 36 and 3 blocks."""
    return resnet.define(net, BLOCKS)
