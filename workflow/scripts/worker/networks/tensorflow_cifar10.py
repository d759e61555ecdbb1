"""TensorFlow's tutorial network for CIFAR-10, cropped to 24x24: with response normalisation.

The first normalisation stands behind its pooling, the second before.
"""

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import constant, truncated_normal

SOURCE = (
    "tensorflow/models, tutorials/image/cifar10/cifar10.py, "
    "as GTDLBench's models/cifar10/tensorflow/cifar10.py has it"
)
PUBLISHED = {"3x24x24-10": 1068298}


def define(net: Network) -> Layer:
    """Two convolutions of 64, both pooled and normalised, and dense layers of 384 and 192."""
    x = conv(net, "conv1", net.input, bias=0)
    x = net.max_pool("pool1", x, kernel=3, stride=2, partial=True)
    x = conv(net, "conv2", lrn(net, "norm1", x), bias=0.1)
    x = net.max_pool("pool2", lrn(net, "norm2", x), kernel=3, stride=2, partial=True)
    x = dense(net, "dense3", x, 384)
    x = dense(net, "dense4", x, 192)
    last = truncated_normal(1 / x.shape[0]), constant(0)
    return net.dense("dense5", x, net.classes, initial=last)


def conv(net: Network, name: str, x: Layer, bias: float) -> Layer:
    """A convolution that keeps the image's size, and its ReLU."""
    initial = truncated_normal(0.05), constant(bias)
    return net.conv_relu(name, x, 64, kernel=5, padding=2, initial=initial)


def lrn(net: Network, name: str, x: Layer) -> Layer:
    """Response normalisation by what TensorFlow calls a radius of 4 and an alpha of 0.001 / 9."""
    return net.lrn(name, x, size=9, alpha=0.001, beta=0.75)


def dense(net: Network, name: str, x: Layer, units: int) -> Layer:
    """A hidden dense layer and its ReLU."""
    initial = truncated_normal(0.04), constant(0.1)
    return net.relu(name + "/relu", net.dense(name, x, units, initial=initial))
