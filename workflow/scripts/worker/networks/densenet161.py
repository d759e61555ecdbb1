"""DenseNet-161: dense blocks of 6, 12, 36 and 24, which families/densenet.py describes."""

from worker.networks.families import densenet
from worker.networks.neutral.builder import Layer, Network

SOURCE = (
    "Huang et al. 2016, Densely Connected Convolutional Networks, with a growth rate of 48; "
    "in the form of torchvision's densenet161"
)
PUBLISHED = {"3x224x224-1000": 28681000}
PUBLISHED_MULTIPLY_ADDS = {"3x224x224-1000": 7.728e9}

BLOCKS = (6, 12, 36, 24)


def define(net: Network) -> Layer:
    """Blocks of 6, 12, 36 and 24 layers, behind a stem of 96 channels."""
    return densenet.define(net, BLOCKS, growth=48, channels=96)
