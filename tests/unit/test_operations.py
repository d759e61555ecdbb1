"""Multiply-adds, counted by hand in small networks."""

import pytest

from worker import networks
from worker.networks.neutral import operations
from worker.networks.neutral.builder import Network

FIRST = 4 * 3 * 5 * 5 * 8 * 8  # outputs of 4 channels, 8x8, from 3 channels and 5x5 pixels
GROUPED = 6 * 2 * 3 * 3 * 4 * 4  # padding counts
DENSE = 10 * 6 * 4 * 4


def built():
    net = Network((3, 12, 12), classes=10)
    x = net.conv_relu("first", net.input, 4, kernel=5)
    x = net.conv("grouped", x, 6, kernel=3, stride=2, padding=1, groups=2)
    net.dense("dense", net.batch_norm("norm", x), 10)
    return net


def test_a_prediction_takes_each_kernel_at_each_place():
    assert operations.forward(built()) == FIRST + GROUPED + DENSE


def test_the_channels_of_images_count_in_the_first_layer_alone():
    """What GTDLBench's networks take as it has them is in test_published_gtdlbench.py."""
    grey, coloured = (networks.build("theano_cifar10", (n, 32, 32), 10) for n in (1, 3))
    first = 4 * 3 * 3 * 30 * 30
    assert operations.forward(coloured) == operations.forward(grey) + 2 * first == 129_432


def test_gradients_take_twice_as_many_more_but_for_the_image():
    expected = 2 * FIRST + 3 * GROUPED + 3 * DENSE
    assert operations.forward_and_backward(built()) == expected


def test_what_is_not_trained_before_the_first_kernel_needs_no_gradient():
    net = Network((3, 12, 12), classes=10)
    net.dense("dense", net.average_pool("pool", net.input, kernel=2, stride=2), 10)
    assert operations.forward_and_backward(net) == 2 * 10 * 3 * 6 * 6


def test_a_trained_normalisation_before_the_first_kernel_needs_one():
    net = Network((3, 12, 12), classes=10)
    net.dense("dense", net.batch_norm("norm", net.input), 10)
    assert operations.forward_and_backward(net) == 3 * 10 * 3 * 12 * 12


@pytest.mark.parametrize(
    ("name", "layers"), [("alexnet", 8), ("vgg16", 16), ("googlenet", 22), ("resnet50", 50)]
)
def test_the_depth_is_that_of_the_papers(name, layers):
    assert operations.depth(networks.build(name, (3, 224, 224), 1000)) == layers
