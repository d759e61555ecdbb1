"""Batch norms within the convolutions before them predict what they did beside them."""

import numpy
import pytest
from examples import small_images

from worker import networks
from worker.events import Unsupported
from worker.frameworks.numpy.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.proof import start


def trained_weights(network):
    """As after training: no statistic, scale or shift is a constant."""
    random = numpy.random.RandomState(1)
    arrays = weights.usual(network, seed=1)
    for weight in network.weights:
        if weight.role != "kernel":
            arrays[weight.name] += random.uniform(0.1, 0.4, weight.shape).astype(numpy.float32)
    return arrays


def logits(network, values, job):
    adapter = Adapter(job)
    adapter.build(network, update_rule.of_job(job))
    adapter.load(values)
    return adapter.infer(adapter.batch(*fixed_batch.distinct(job)))


def kinds(network):
    return [layer.kind for layer in network.layers]


@pytest.mark.parametrize(
    ("name", "left"), [("resnet50", 0), ("mobilenet_v2", 0), ("densenet161", 82), ("lenet", 0)]
)
def test_it_predicts_the_same_with_fewer_layers(name, left):
    job = Job(**small_images(name, precision="float64", batch_size=2))
    network = networks.build(name, job.image_shape, job.classes).without_dropout()
    values = trained_weights(network)
    short, fewer = folded(network, values)
    assert kinds(short).count("batch_norm") == left
    assert kinds(network).count("batch_norm") - left == len(network.layers) - len(short.layers)
    if name != "densenet161":  # which takes NumPy half a minute
        expected = logits(network, values, job)
        difference = numpy.abs(logits(short, fewer, job) - expected).max()
        assert difference <= 1e-5 * numpy.abs(expected).max()


def test_a_convolution_that_something_else_reads_keeps_its_batch_norm():
    net = Network((3, 8, 8), 10)
    conv = net.conv("conv", net.input, 4, kernel=3)
    net.dense("dense", net.add("add", conv, net.batch_norm("norm", conv)), 10)
    short, _ = folded(net, weights.usual(net, seed=1))
    assert kinds(short) == kinds(net)


def test_it_is_an_option_of_prediction_in_every_framework():
    job = Job(**small_images("resnet50", stage="infer", options={"fold_batch_norm": True}))
    network, initial = start.of_job(job)
    assert "batch_norm" not in kinds(network)
    assert set(initial) == {weight.name for weight in network.weights}
    Adapter(job)
    with pytest.raises(Unsupported, match="option fold_batch_norm is for stage infer"):
        Adapter(job._replace(stage="train"))
    with pytest.raises(Unsupported, match="fold_batch_norm is 'yes'; it must be a bool"):
        Adapter(job._replace(options={"fold_batch_norm": "yes"}))


ATTACK = small_images("resnet20", stage="attack")


def test_an_attacked_network_is_folded_unasked():
    network, initial = start.of_job(Job(**ATTACK))
    assert "batch_norm" not in kinds(network)
    assert set(initial) == {weight.name for weight in network.weights}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"network": "densenet161"}, "in densenet161, block1/layer1/reduce/norm follows none$"),
        ({"network": "text_lstm", "image_shape": [1, 1, 24]}, "^text_lstm reads bytes, by which"),
        ({"precision": "bfloat16"}, "^attacks are computed in float32, precision is bfloat16$"),
    ],
)
def test_what_has_no_proven_input_gradient_is_refused(settings, reason):
    with pytest.raises(Unsupported, match=reason):
        start.of_job(Job(**{**ATTACK, **settings}))
