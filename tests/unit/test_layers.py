"""The numpy layers: gradients against finite differences, and the loss."""

import numpy
import pytest

from worker.frameworks.numpy import layers
from worker.frameworks.numpy.kinds import KINDS
from worker.networks.neutral.builder import Network
from worker.networks.neutral.shapes import pixels_inside

SHAPE = (2, 6, 6)
SHAPES = {"input": SHAPE, "means": SHAPE[:1], "tokens": (10, 6)}


def tokens(net):
    return net.patch_tokens("tokens", net.input, 6, kernel=2)


LAYERS = {
    "conv": lambda net, x: net.conv("x", x, 3, kernel=3, stride=2, padding=1),
    "grouped conv": lambda net, x: net.conv("x", x, 4, kernel=3, padding=1, groups=2),
    "batch_norm": lambda net, x: net.batch_norm("x", x),
    "relu": lambda net, x: net.relu("x", x),
    "relu6": lambda net, x: net.relu6("x", x),
    "sigmoid": lambda net, x: net.sigmoid("x", x),
    "tanh": lambda net, x: net.tanh("x", x),
    "silu": lambda net, x: net.silu("x", x),
    "max_pool": lambda net, x: net.max_pool("x", x, kernel=3, stride=2, padding=1),
    "partial max_pool": lambda net, x: net.max_pool("x", x, 3, stride=2, partial=True),
    "average_pool": lambda net, x: net.average_pool("x", x, kernel=3, stride=2),
    "partial average_pool": lambda net, x: net.average_pool("x", x, 3, stride=2, partial=True),
    "lrn": lambda net, x: net.lrn("x", x, size=3, alpha=0.5),
    "concat": lambda net, x: net.concat("x", x, x),
    "global_average_pool": lambda net, x: net.global_average_pool("x", x),
    "dense": lambda net, x: net.dense("x", x, 3),
    "add": lambda net, x: net.add("x", x, x),
    "patch_tokens": lambda net, x: net.patch_tokens("x", x, 5, kernel=2),
    "layer_norm": lambda net, x: net.layer_norm("x", tokens(net)),
    "gelu": lambda net, x: net.gelu("x", tokens(net)),
    "attention": lambda net, x: net.attention("x", tokens(net), heads=2),
    "first_token": lambda net, x: net.first_token("x", tokens(net)),
    "dense of tokens": lambda net, x: net.dense("x", tokens(net), 3),
    "positions": lambda net, x: net.positions("x", tokens(net)),
    "lstm": lambda net, x: net.lstm("x", tokens(net), 3),
    "last_token": lambda net, x: net.last_token("x", tokens(net)),
    "multiply": lambda net, x: net.multiply("x", x, net.global_average_pool("means", x)),
}


def build(name):
    net = Network(SHAPE, classes=3)
    return LAYERS[name](net, net.input)


@pytest.fixture
def generator():
    return numpy.random.default_rng(1)


def arrays(layer, generator):
    inputs = [generator.standard_normal((4, *SHAPES[name])) for name in layer.inputs]
    roles = {w.role: generator.uniform(0.5, 1.5, w.shape) for w in layer.weights}
    return inputs, roles


def forward(layer, inputs, roles):
    return KINDS[layer.kind](layer.settings, inputs, roles, training=True)


def slope(function, array, direction, step=1e-6):
    array += step * direction
    above = function()
    array -= 2 * step * direction
    below = function()
    array += step * direction
    return (above - below) / (2 * step)


@pytest.mark.parametrize("name", LAYERS)
def test_gradients_are_the_slopes_of_the_output(name, generator):
    layer = build(name)
    inputs, roles = arrays(layer, generator)
    output, backward = forward(layer, inputs, roles)
    assert output.shape[1:] == layer.shape
    weighting = generator.standard_normal(output.shape)
    by_input, by_role = backward(weighting)
    checked = list(zip(inputs, by_input, strict=True))
    checked += [(roles[role], gradient) for role, gradient in by_role.items()]
    for array, gradient in checked:
        direction = generator.standard_normal(array.shape)
        measured = slope(
            lambda: (forward(layer, inputs, roles)[0] * weighting).sum(), array, direction
        )
        assert measured == pytest.approx((gradient * direction).sum(), rel=1e-5)


def test_every_trainable_weight_gets_a_gradient(generator):
    for kind, trained in {"conv": {"kernel", "bias"}, "batch_norm": {"scale", "shift"}}.items():
        layer = build(kind)
        output, backward = forward(layer, *arrays(layer, generator))
        assert set(backward(output)[1]) == trained


def test_a_convolution_of_a_known_image():
    net = Network((1, 3, 3), classes=1)
    layer = net.conv("x", net.input, 1, kernel=2)
    image = numpy.arange(9.0).reshape(1, 1, 3, 3)
    roles = {"kernel": numpy.array([[[[1.0, 0.0], [0.0, -1.0]]]]), "bias": numpy.array([10.0])}
    output, _ = forward(layer, [image], roles)
    numpy.testing.assert_array_equal(output, numpy.full((1, 1, 2, 2), 6.0))


def test_bytes_are_looked_up_and_their_rows_get_the_gradients_of_all_that_they_gave():
    net = Network((1, 1, 3), classes=1)
    layer = net.embedding("x", net.input, 2)
    table = numpy.arange(512.0).reshape(256, 2)
    output, backward = forward(layer, [numpy.array([[[[7.0, 0.0, 7.0]]]])], {"table": table})
    numpy.testing.assert_array_equal(output, [[[14, 15], [0, 1], [14, 15]]])
    _, by_role = backward(numpy.array([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]))
    numpy.testing.assert_array_equal(by_role["table"][[0, 7]], [[3, 4], [6, 8]])
    assert numpy.count_nonzero(by_role["table"]) == 4


def test_batch_norm_in_evaluation_uses_the_running_statistics():
    layer = build("batch_norm")
    roles = {
        "scale": numpy.ones(2),
        "shift": numpy.zeros(2),
        "running_mean": numpy.array([1.0, 2.0]),
        "running_variance": numpy.array([4.0, 9.0]) - layer.settings["epsilon"],
    }
    x = numpy.full((1, *SHAPE), 5.0)
    output, _ = layers.batch_norm(layer.settings, [x], roles, training=False)
    assert output[0, :, 0, 0] == pytest.approx([2.0, 1.0])


def test_a_partial_window_reaches_over_the_edge():
    net = Network((1, 4, 4), classes=1)
    layer = net.max_pool("x", net.input, kernel=3, stride=2, partial=True)
    image = numpy.arange(16.0).reshape(1, 1, 4, 4)
    output, _ = forward(layer, [image], {})
    numpy.testing.assert_array_equal(output, [[[[10, 11], [14, 15]]]])
    assert layer.settings["overhang"] == (1, 1)


def test_an_average_is_of_whole_windows_alone():
    net = Network((1, 3, 3), classes=1)
    layer = net.average_pool("x", net.input, kernel=2, stride=2)
    output, _ = forward(layer, [numpy.arange(9.0).reshape(1, 1, 3, 3)], {})
    numpy.testing.assert_array_equal(output, [[[[2.0]]]])


def test_an_average_over_the_edge_is_of_the_pixels_within_the_image():
    net = Network((1, 4, 4), classes=1)
    layer = net.average_pool("x", net.input, kernel=3, stride=2, partial=True)
    image = numpy.arange(16.0).reshape(1, 1, 4, 4)
    output, _ = forward(layer, [image], {})
    numpy.testing.assert_array_equal(output, [[[[5, 6.5], [11, 12.5]]]])
    numpy.testing.assert_array_equal(pixels_inside(layer.settings, (2, 2)), [[9, 6], [6, 4]])


def test_local_response_normalisation_divides_by_the_neighbours_squares():
    net = Network((3, 1, 1), classes=1)
    layer = net.lrn("x", net.input, size=3, alpha=3.0, beta=1.0)
    output, _ = forward(layer, [numpy.array([1.0, 2.0, 3.0]).reshape(1, 3, 1, 1)], {})
    expected = [1 / (1 + 1 + 4), 2 / (1 + 1 + 4 + 9), 3 / (1 + 4 + 9)]
    assert output.ravel() == pytest.approx(expected)


def test_dropout_keeps_the_expected_value_and_lets_the_same_places_through_backward():
    settings, ones = {"rate": 0.25}, numpy.ones((8, 50, 4, 4))
    output, backward = layers.dropout(settings, [ones], {}, training=True)
    assert set(numpy.unique(output)) == {0, 1 / 0.75}
    assert output.mean() == pytest.approx(1, abs=0.05)
    numpy.testing.assert_array_equal(backward(ones)[0][0], output)
    assert layers.dropout(settings, [ones], {}, training=False)[0] is ones


def test_cross_entropy_of_even_odds_is_the_logarithm_of_the_classes():
    loss, gradient = layers.cross_entropy(numpy.zeros((5, 10)), numpy.arange(5))
    assert loss == pytest.approx(numpy.log(10))
    assert gradient.sum(axis=1) == pytest.approx(numpy.zeros(5))
