"""Multiply-adds, counted by hand in small networks."""

import pytest

from worker import networks
from worker.networks.neutral import operations
from worker.networks.neutral.builder import Network

FIRST = 4 * 3 * 5 * 5 * 8 * 8  # outputs of 4 channels, 8x8, from 3 channels and 5x5 pixels
GROUPED = 6 * 2 * 3 * 3 * 4 * 4  # padding counts
DENSE = 10 * 6 * 4 * 4

# Worked out layer by layer from what each network's SOURCE says.
GTDLBENCH = [
    ("tensorflow_mnist", (1, 28, 28), 13_883_904),
    ("lenet", (1, 28, 28), 2_293_000),
    ("torch_mnist", (1, 32, 32), 2_587_600),
    ("theano_mnist", (1, 28, 28), 2_293_000),
    ("tensorflow_cifar10", (3, 24, 24), 18_470_784),
    ("caffe_cifar10", (3, 32, 32), 12_354_176),
    ("torch_cifar10", (3, 32, 32), 12_001_280),
    ("theano_cifar10", (1, 32, 32), 64_632),
    ("theano_cifar10", (3, 32, 32), 129_432),
]


def built():
    net = Network((3, 12, 12), classes=10)
    x = net.conv_relu("first", net.input, 4, kernel=5)
    x = net.conv("grouped", x, 6, kernel=3, stride=2, padding=1, groups=2)
    net.dense("dense", net.batch_norm("norm", x), 10)
    return net


def test_a_prediction_takes_each_kernel_at_each_place():
    assert operations.forward(built()) == FIRST + GROUPED + DENSE


@pytest.mark.parametrize(("name", "shape", "count"), GTDLBENCH)
def test_gtdlbenchs_networks_take_what_their_sources_amount_to(name, shape, count):
    assert operations.forward(networks.build(name, shape, 10)) == count


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
