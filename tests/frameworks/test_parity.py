"""Equal work, shown: each network on small images, in each framework, against the reference."""

import math
from collections import Counter

import adapters
import examples
import pytest

from trainmark.runs import events
from worker import networks

JOBS = {name: examples.small_images(name) for name in examples.TRIED}
JOBS["lenet"]["learning_rate"] = 0.001  # on random images, larger steps of this one diverge
JOBS["theano_mnist"]["warmup_steps"] = 0  # its last layer starts from 0, which one step tells
# Where rounding decides a ReLU or a maximum, float32 alone is off by some 1e-3 in these, by up to
# 1e-2 in resnet20 and 2e-2 in mobilenet_v2, which the check of parity allows. It depends on the
# processor where that is.
LIMITS = dict.fromkeys(JOBS, 1e-3) | {"resnet20": 1e-2, "mobilenet_v2": 2e-2}
# Networks that these take long to compile. The study of parity has them; the others, their layers.
LEFT_OUT = {"jax": {"mobilenet_v2"}}
LEFT_OUT["caffe_train"] = {"char_lstm", "gpt2_mini"}  # which no framework's own program trains
LEFT_OUT |= {"theano": {"caffe_cifar10", "lenet1", "matrix_products", "mobilenet_v2"}}
LEFT_OUT["theano"] |= {"tensorflow_cifar10", "tensorflow_mnist", "text_encoder"}
LEFT_OUT["theano"] |= {"torch_cifar10", "torch_mnist"}
LACKED = {
    "text_encoder": ("caffe", "caffe_train", "caffe2", "cntk"),
    "text_lstm": ("tensorflow1",),
    "gpt2_mini": ("caffe", "caffe2", "cntk"),
    "char_lstm": ("tensorflow1",),
}


def of(adapter):
    """The networks that are tried in an adapter."""
    return [network for network in JOBS if network not in LEFT_OUT.get(adapter, ())]


PAIRS = [(adapter, network) for adapter in adapters.TRAINING for network in of(adapter)]
EVERYWHERE = ("resnet20", "theano_mnist", "text_encoder")
"""What `make test` tries in each adapter. Of the others, each is tried in some of the adapters."""
is_chosen = adapters.every(5, adapters.TRAINING, [*JOBS], EVERYWHERE)


def test_each_network_and_each_adapter_is_in_several_of_the_pairs_of_make_test():
    chosen = [pair for pair in PAIRS if is_chosen(*pair)]
    counts = Counter(name for pair in chosen for name in pair)
    assert min(counts[name] for name in (*adapters.TRAINING, *JOBS)) >= 2


@pytest.fixture(scope="session")
def parity_of(job_events, selected):
    """The events of a network, all of one adapter's made in one process."""

    def of_network(adapter, network):
        function = test_a_framework_does_the_work_of_the_reference.__name__
        names = selected(function, "network", adapter=adapter)
        names += [network] if network not in names else []
        return job_events(adapter, [JOBS[name] for name in names])[names.index(network)]

    return of_network


@pytest.mark.parametrize(("adapter", "network"), adapters.params(PAIRS, is_chosen))
def test_a_framework_does_the_work_of_the_reference(parity_of, adapter, network):
    log = parity_of(adapter, network)
    if adapter in LACKED.get(network, ()):
        assert events.last(log, "error")["kind"] == "unsupported"
        return
    expected = networks.build(network, JOBS[network]["image_shape"], JOBS[network]["classes"])
    assert events.last(log, "network")["parameter_count"] == expected.parameter_count
    parity = events.last(log, "parity")
    assert parity["passed"], parity
    assert parity["error"] < LIMITS[network], parity
    assert events.last(log, "window_end")["steps"] == 1  # of the network with its dropout


@pytest.mark.parametrize("adapter", adapters.TRAINING)
def test_training_starts_from_what_a_network_declares(parity_of, adapter):
    log = parity_of(adapter, "theano_mnist")
    assert events.last(log, "parity")["passed"]  # from the usual weights, whose logits aren't 0
    even_odds = math.log(examples.LENET["classes"])
    losses = events.last(log, "window_end")["losses"]
    assert losses == [pytest.approx(even_odds, rel=1e-5)]
