"""Torch7's demonstration network for MNIST, padded to 32x32: two convolutions, tanh throughout."""

from worker.networks.families import torch7
from worker.networks.neutral.builder import Layer, Network

SOURCE = (
    "torch/demos, train-a-digit-classifier/train-on-mnist.lua (convnet), "
    "as GTDLBench's models/mnist/torch/train-on-mnist.lua has it"
)
PUBLISHED = {"1x32x32-10": 169506}


def define(net: Network) -> Layer:
    """Conv 32, pool 3, conv 64, pool 2, dense 200, dense."""
    x = torch7.conv_tanh(net, "conv1", net.input, 32, kernel=5)
    x = net.max_pool("pool1", x, kernel=3, stride=3, padding=1)
    x = torch7.conv_tanh(net, "conv2", x, 64, kernel=5)
    x = net.max_pool("pool2", x, kernel=2, stride=2)
    x = torch7.dense_tanh(net, "dense3", x, 200)
    return torch7.dense(net, "dense4", x, net.classes)
