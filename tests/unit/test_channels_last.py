"""Weights in channels-last layout compute what the neutral ones do."""

import numpy as np
import pytest

from worker.frameworks.numpy import layers
from worker.networks.neutral import channels_last
from worker.networks.neutral.builder import Network


@pytest.fixture
def network():
    net = Network((3, 5, 7), classes=4)
    x = net.conv("conv", net.input, 6, kernel=3)
    x = net.batch_norm("norm", x)
    x = net.dense("dense1", x, 8)
    net.dense("dense2", x, 4)
    return net


@pytest.fixture
def weights(network):
    random = np.random.default_rng(1)
    return {w.name: random.random(w.shape, dtype=np.float32) for w in network.weights}


def test_there_and_back_is_the_same(network, weights):
    arrays = channels_last.from_neutral(network, weights)
    back = channels_last.to_neutral(network, arrays)
    assert list(back) == list(weights)
    for name, array in weights.items():
        np.testing.assert_array_equal(back[name], array)
        assert back[name].flags.c_contiguous


def test_shapes_are_those_of_the_arrays(network, weights):
    arrays = channels_last.from_neutral(network, weights)
    assert channels_last.shapes(network) == {name: a.shape for name, a in arrays.items()}
    assert arrays["conv/weight"].shape == (3, 3, 3, 6)
    assert arrays["dense1/weight"].shape == (6 * 3 * 5, 8)
    assert arrays["norm/scale"] is weights["norm/scale"]


def test_a_dense_layer_reads_the_channels_last_image(network, weights):
    x = np.random.default_rng(2).random((2, 6, 3, 5), dtype=np.float32)
    roles = {"kernel": weights["dense1/weight"], "bias": weights["dense1/bias"]}
    expected, _ = layers.dense({}, (x,), roles, training=False)
    matrix = channels_last.from_neutral(network, weights)["dense1/weight"]
    flat = x.transpose(0, 2, 3, 1).reshape(2, -1)
    np.testing.assert_allclose(flat @ matrix + roles["bias"], expected, rtol=1e-5)


def test_a_convolution_reads_the_channels_last_window(network, weights):
    window = np.random.default_rng(3).random((1, 3, 3, 3), dtype=np.float32)
    settings = {"channels": 6, "kernel": 3, "stride": 1, "padding": 0, "bias": False, "groups": 1}
    roles = {"kernel": weights["conv/weight"]}
    expected, _ = layers.conv(settings, (window,), roles, training=False)
    kernel = channels_last.from_neutral(network, weights)["conv/weight"]
    actual = np.tensordot(window.transpose(0, 2, 3, 1), kernel, axes=3)
    np.testing.assert_allclose(actual, expected[:, :, 0, 0], rtol=1e-5)
