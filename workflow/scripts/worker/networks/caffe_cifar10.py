"""BVLC Caffe's quick network for CIFAR-10: one maximum and two average poolings, over the edge."""

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import constant, normal

SOURCE = "BVLC Caffe's examples/cifar10/cifar10_quick_train_test.prototxt"
PUBLISHED = {"3x32x32-10": 145578}


def define(net: Network) -> Layer:
    """Conv 32, 32 and 64, dense 64 and dense; the first ReLU stands behind its pooling.

    Neither dense layer has one.
    """
    x = conv(net, "conv1", net.input, 32, deviation=0.0001)
    x = net.max_pool("pool1", x, kernel=3, stride=2, partial=True)
    x = conv(net, "conv2", net.relu("relu1", x), 32, deviation=0.01)
    x = average(net, "pool2", net.relu("relu2", x))
    x = conv(net, "conv3", x, 64, deviation=0.01)
    x = average(net, "pool3", net.relu("relu3", x))
    initial = normal(0.1), constant(0)
    x = net.dense("dense4", x, 64, gain=1, initial=initial)
    return net.dense("dense5", x, net.classes, gain=1, initial=initial)


def conv(net: Network, name: str, x: Layer, channels: int, deviation: float) -> Layer:
    """A convolution that keeps the image's size."""
    initial = normal(deviation), constant(0)
    return net.conv(name, x, channels, kernel=5, padding=2, initial=initial)


def average(net: Network, name: str, x: Layer) -> Layer:
    """A pooling to half the image's size."""
    return net.average_pool(name, x, kernel=3, stride=2, partial=True)
