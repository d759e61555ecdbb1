"""TensorFlow's tutorial network for MNIST: two convolutions, two dense layers, dropout."""

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import constant, truncated_normal

SOURCE = (
    "TensorFlow 1's tutorials/mnist/mnist_deep.py (Deep MNIST for Experts), "
    "as GTDLBench's models/mnist/tensorflow/mnist_deep.py has it"
)
PUBLISHED = {"1x28x28-10": 3274634}

INITIAL = truncated_normal(0.1), constant(0.1)


def define(net: Network) -> Layer:
    """Conv 32, pool, conv 64, pool, dense 1024, dense."""
    x = net.conv_relu("conv1", net.input, 32, kernel=5, padding=2, initial=INITIAL)
    x = net.max_pool("pool1", x, kernel=2, stride=2)
    x = net.conv_relu("conv2", x, 64, kernel=5, padding=2, initial=INITIAL)
    x = net.max_pool("pool2", x, kernel=2, stride=2)
    x = net.relu("dense3/relu", net.dense("dense3", x, 1024, initial=INITIAL))
    x = net.dropout("dropout", x, rate=0.5)
    return net.dense("dense4", x, net.classes, initial=INITIAL)
