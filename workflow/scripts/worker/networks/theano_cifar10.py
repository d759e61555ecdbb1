"""A small network for grey images of CIFAR-10, of a tutorial for Theano.

GTDLBench names that tutorial as what its own network is derived from, which it doesn't have. The
tutorial's network for colours differs in nothing but the input.
"""

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import normal

SOURCE = "benanne/theano-tutorial, 6_convnet.py"
PUBLISHED = {"1x32x32-10": 14246, "3x32x32-10": 14318}

INITIAL = normal(0.1), normal(0.1)


def define(net: Network) -> Layer:
    """Conv 4, pool 3, conv 8, pool 2, dense 100, dense."""
    x = net.conv_relu("conv1", net.input, 4, kernel=3, initial=INITIAL)
    x = net.max_pool("pool1", x, kernel=3, stride=3)
    x = net.conv_relu("conv2", x, 8, kernel=3, initial=INITIAL)
    x = net.max_pool("pool2", x, kernel=2, stride=2)
    x = net.relu("dense3/relu", net.dense("dense3", x, 100, initial=INITIAL))
    return net.dense("dense4", x, net.classes, initial=INITIAL)
