"""Torch7's demonstration network for CIFAR-10: two convolutions, tanh throughout.

Convolutions are full, as in the script for GPUs. In the one for CPUs each of the 16 maps sees one
random input and each of the 256 sees four, by tables that no other framework has.
"""

from worker.networks.families import torch7
from worker.networks.neutral.builder import Layer, Network

SOURCE = (
    "torch/demos, train-on-cifar/train-on-cifar.lua (convnet), with full convolutions, "
    "as DLBench's train-on-cifar-10-gpu.lua has it"
)
PUBLISHED = {"3x32x32-10": 924490}


def define(net: Network) -> Layer:
    """Conv 16, pool, conv 256, pool, dense 128, dense."""
    x = torch7.conv_tanh(net, "conv1", net.input, 16, kernel=5)
    x = net.max_pool("pool1", x, kernel=2, stride=2)
    x = torch7.conv_tanh(net, "conv2", x, 256, kernel=5)
    x = net.max_pool("pool2", x, kernel=2, stride=2)
    x = torch7.dense_tanh(net, "dense3", x, 128)
    return torch7.dense(net, "dense4", x, net.classes)
