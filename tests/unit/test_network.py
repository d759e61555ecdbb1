"""The neutral builder and the initial weights."""

import numpy
import pytest

from worker import networks
from worker.networks.neutral import weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.shapes import TooSmall, WrongShape


def test_shapes_follow_the_layers():
    net = Network((3, 32, 32), classes=10)
    x = net.conv("conv", net.input, 8, kernel=3, stride=2, padding=1)
    assert x.shape == (8, 16, 16)
    assert net.max_pool("pool", x, kernel=3, stride=2).shape == (8, 7, 7)
    assert net.dense("dense", x, 10).weights[0].shape == (10, 8 * 16 * 16)


def test_a_window_larger_than_its_image_is_refused():
    with pytest.raises(TooSmall, match="layer conv needs 5 pixels a side, it gets 4x4"):
        Network((1, 4, 4), classes=10).conv("conv", Network((1, 4, 4), 10).input, 1, kernel=5)


@pytest.mark.parametrize(
    ("end", "message"),
    [
        (lambda net: net.conv("maps", net.input, 10, kernel=1), "layer maps, .* gives 10x4x4;"),
        (lambda net: net.conv("point", net.input, 10, kernel=4), "layer point, .* gives 10x1x1;"),
        (lambda net: net.dense("dense", net.input, 11), "layer dense, the last one, gives 11;"),
        (
            lambda net: net.batch_norm("norm", net.input),
            "a vector of the 10 classes, as global_average_pool, ",
        ),
    ],
)
def test_a_network_ends_in_a_vector_of_the_classes(end, message):
    net = Network((1, 4, 4), classes=10)
    end(net)
    with pytest.raises(WrongShape, match=message):
        net.check_end()


@pytest.mark.parametrize(
    "add",
    [
        lambda net, x: net.conv("last", x, 10, kernel=1),
        lambda net, x: net.max_pool("last", x, kernel=2, stride=2),
        lambda net, x: net.average_pool("last", x, kernel=2, stride=2),
        lambda net, x: net.batch_norm("last", x),
        lambda net, x: net.lrn("last", x),
    ],
)
def test_a_layer_of_images_takes_no_vector(add):
    net = Network((1, 4, 4), classes=10)
    x = net.dense("dense", net.input, 10)
    with pytest.raises(WrongShape, match=r"layer last is a \w+ of images, it gets a vector"):
        add(net, x)


def test_running_statistics_are_weights_but_no_parameters():
    net = Network((3, 8, 8), classes=10)
    net.batch_norm("norm", net.input)
    assert len(net.weights) == 4
    assert net.parameter_count == 6


def test_the_small_resnet50_differs_from_the_large_one_in_stem_and_classes_only():
    large = networks.build("resnet50", (3, 224, 224), 1000).parameter_count
    small = networks.build("resnet50", (3, 32, 32), 10).parameter_count
    stems, classifiers = 64 * 3 * (49 - 9), 2049 * (1000 - 10)
    assert large - small == stems + classifiers


def test_initial_weights_depend_on_seed_and_name_alone():
    lenet = networks.build("lenet", (1, 28, 28), 10)
    again = weights.initial(networks.build("lenet", (1, 28, 28), 10), seed=1)
    for name, array in weights.initial(lenet, seed=1).items():
        assert array.dtype == numpy.float32
        numpy.testing.assert_array_equal(array, again[name])
    other = weights.initial(lenet, seed=2)
    assert not numpy.array_equal(other["conv1/weight"], again["conv1/weight"])


def test_a_kernels_deviation_follows_its_fan_in():
    lenet = networks.build("lenet", (1, 28, 28), 10)
    kernel = weights.initial(lenet, seed=1)["dense1/weight"]
    assert kernel.std() == pytest.approx((1 / 800) ** 0.5, rel=0.01)
    alexnet = networks.build("alexnet", (3, 32, 32), 10)
    behind_relu = weights.initial(alexnet, seed=1)["dense7/weight"]
    assert behind_relu.std() == pytest.approx((2 / 4096) ** 0.5, rel=0.01)


def test_the_deviation_of_vgg16s_convolutions_follows_their_fan_out():
    vgg16 = networks.build("vgg16", (3, 32, 32), 10)
    kernel = weights.initial(vgg16, seed=1)["conv4_1/weight"]
    assert kernel.shape == (512, 256, 3, 3)
    assert kernel.std() == pytest.approx((2 / (512 * 9)) ** 0.5, rel=0.01)
