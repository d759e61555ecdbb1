"""Equal work, shown: each network on small images, in each framework, against the reference."""

import math

import adapters
import examples
import pytest

from trainmark.runs import events
from worker import networks

JOBS = {name: examples.small_images(name) for name in examples.TRIED}
JOBS["lenet"]["learning_rate"] = 0.001  # on random images, larger steps of this one diverge
JOBS["theano_mnist"]["warmup_steps"] = 0  # its last layer starts from 0, which one step tells
# Where rounding decides a ReLU or a maximum, float32 alone is off by some 1e-3 in these, by up to
# 2e-2 in mobilenet_v2, which the check of parity allows.
LIMITS = dict.fromkeys(JOBS, 1e-3) | {"mobilenet_v2": 2e-2}
# Networks that these take long to compile. The study of parity has them; the others, their layers.
LEFT_OUT = {"jax": {"mobilenet_v2"}}
LEFT_OUT |= {"theano": {"caffe_cifar10", "lenet1", "matrix_products", "mobilenet_v2"}}
LEFT_OUT["theano"] |= {"tensorflow_cifar10", "tensorflow_mnist", "text_encoder"}
LEFT_OUT["theano"] |= {"torch_cifar10", "torch_mnist"}
LACKED = {"text_encoder": ("caffe", "caffe_train", "caffe2", "cntk")}


def of(adapter):
    """The networks that are tried in an adapter."""
    return [network for network in JOBS if network not in LEFT_OUT.get(adapter, ())]


PAIRS = [(adapter, network) for adapter in adapters.TRAINING for network in of(adapter)]


@pytest.fixture(scope="session")
def parities(told_together):
    """The events of each network, all of one adapter's made in one process."""
    return lambda adapter: told_together(adapter, [JOBS[name] for name in of(adapter)])


@pytest.mark.parametrize(("adapter", "network"), PAIRS)
def test_a_framework_does_the_work_of_the_reference(parities, adapter, network):
    found = parities(adapter)[of(adapter).index(network)]
    if adapter in LACKED.get(network, ()):
        assert events.last(found, "error")["kind"] == "unsupported"
        return
    expected = networks.build(network, JOBS[network]["image_shape"], 10)
    assert events.last(found, "network")["parameter_count"] == expected.parameter_count
    parity = events.last(found, "parity")
    assert parity["passed"], parity
    assert parity["error"] < LIMITS[network], parity
    assert events.last(found, "window_end")["steps"] == 1  # of the network with its dropout


@pytest.mark.parametrize("adapter", adapters.TRAINING)
def test_training_starts_from_what_a_network_declares(parities, adapter):
    found = parities(adapter)[of(adapter).index("theano_mnist")]
    assert events.last(found, "parity")["passed"]  # from the usual weights, whose logits aren't 0
    even_odds = math.log(examples.LENET["classes"])
    losses = events.last(found, "window_end")["losses"]
    assert losses == [pytest.approx(even_odds, rel=1e-5)]
