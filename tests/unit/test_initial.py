"""Initial arrays of networks: by seed and name, the kinds of values, and parity's."""

import hashlib

import numpy
import pytest

from trainmark.study import plugins
from worker import networks
from worker.networks.neutral import weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.initial import constant, normal, truncated_normal, uniform
from worker.networks.neutral.tokens import BYTES

GTDLBENCH = {
    "tensorflow_mnist": (1, 28, 28),
    "torch_mnist": (1, 32, 32),
    "theano_mnist": (1, 28, 28),
    "tensorflow_cifar10": (3, 24, 24),
    "caffe_cifar10": (3, 32, 32),
    "torch_cifar10": (3, 32, 32),
    "theano_cifar10": (1, 32, 32),
}
TEXT = ("char_lstm", "gpt2", "gpt2_mini", "text_encoder", "text_lstm")
SHAPES = {
    **GTDLBENCH,
    **dict.fromkeys(("lenet", "lenet1", "lenet5"), (1, 28, 28)),
    **dict.fromkeys(TEXT, (1, 1, 24)),
}
# SHA-256 of all arrays with their names, for seed 1 and, where SHAPES has no other, 3x32x32 pixels.
# Where one changes, measurements can't be compared with those from before.
DIGESTS = {
    "alexnet": "80763b4b051b81af",
    "caffe_cifar10": "29cb9a5c8658a525",
    "char_lstm": "a5a9e49d8e8dff9f",
    "densenet161": "b00bbd30731d9aa4",
    "efficientnet_b0": "400090eb7614d322",
    "googlenet": "35781b1419a6f3c6",
    "gpt2": "b62552a41ffa104e",
    "gpt2_mini": "aee8e0cd40ae629b",
    "lenet": "74ecaf4b0b247ed5",
    "lenet1": "06c4654170729ffa",
    "lenet5": "e4c43f242589aabf",
    "matrix_products": "1df86b330c739f2d",
    "mobilenet_v2": "26726f57d57fa9de",
    "resnet152": "19c4e50a6fa3666a",
    "resnet20": "10a4df499c1fc68e",
    "resnet50": "8cfe7b49cf53b3ca",
    "tensorflow_cifar10": "2c3199e440e436d2",
    "tensorflow_mnist": "e4d2a0f92a2e7a97",
    "text_encoder": "12ed9d5f24cf5767",
    "text_lstm": "de14f8146dd9a736",
    "theano_cifar10": "a2dbba93159d9289",
    "theano_mnist": "02b4b9899b270a7d",
    "torch_cifar10": "90a18071aa9bb364",
    "torch_mnist": "a9ce436bbd572f44",
    "vgg16": "60cf212a573286b3",
    "vit_b_16": "76cf12db4556d4ef",
}


def build(name):
    classes = BYTES if networks.is_language_model(name) else 10
    return networks.build(name, SHAPES.get(name, (3, 32, 32)), classes)


def digest(arrays):
    made = hashlib.sha256()
    for name, array in arrays.items():
        made.update(name.encode())
        made.update(array.tobytes())
    return made.hexdigest()[:16]


def test_every_network_has_its_digest():
    assert {*DIGESTS} == {*plugins.names("network")}


@pytest.mark.parametrize("name", DIGESTS)
def test_networks_keep_their_initial_weights(name):
    assert digest(weights.initial(build(name), seed=1)) == DIGESTS[name]


def kernel_and_bias(of_kernel, of_bias):
    net = Network((1, 28, 28), classes=10)
    net.dense("dense", net.input, 500, initial=(of_kernel, of_bias))
    arrays = weights.initial(net, seed=1)
    return arrays["dense/weight"], arrays["dense/bias"]


@pytest.mark.parametrize(
    ("start", "deviation", "largest"),
    [
        (normal(0.1), 0.1, (0.4, 0.6)),
        (truncated_normal(0.1), 0.08796, (0.199, 0.2)),  # what cutting at 2 leaves of it
        (uniform(0.1), 0.1 / 3**0.5, (0.0999, 0.1)),
    ],
    ids=lambda layer: getattr(layer, "kind", ""),
)
def test_a_network_says_what_its_kernels_start_from(start, deviation, largest):
    kernel, _ = kernel_and_bias(start, constant(0))
    assert kernel.dtype == numpy.float32
    assert kernel.std() == pytest.approx(deviation, rel=0.01)
    assert kernel.mean() == pytest.approx(0, abs=0.001)
    least, most = largest
    assert least <= abs(kernel).max() <= numpy.float32(most)


def test_a_network_says_what_its_biases_start_from():
    _, same = kernel_and_bias(normal(0.1), constant(0.1))
    numpy.testing.assert_array_equal(same, numpy.full(500, 0.1, numpy.float32))
    _, drawn = kernel_and_bias(normal(0.1), uniform(0.1))
    assert len(set(drawn)) > 490


@pytest.mark.parametrize("name", GTDLBENCH)
def test_parity_starts_as_usual_whatever_a_network_declares(name):
    network = build(name)
    usual = weights.usual(network, seed=1)
    for weight in network.weights:
        array = usual[weight.name]
        if weight.role == "kernel":  # by a gain of 1 or of 2; the smallest has 36 values
            assert 0.8 < array.std() * array[0].size ** 0.5 < 1.7
        else:
            assert not array.any()


def test_a_run_starts_as_its_network_declares():
    initial = weights.initial(build("theano_mnist"), seed=1)
    assert not initial["dense4/weight"].any()
    assert abs(initial["dense3/weight"]).max() <= (6 / 1300) ** 0.5
    initial = weights.initial(build("tensorflow_cifar10"), seed=1)
    assert set(initial["conv2/bias"]) == {numpy.float32(0.1)}
