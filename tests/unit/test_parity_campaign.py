"""Right work passes in any settings, wrong work fails; benchmarks/parity.py tries more of both."""

from functools import cache

import numpy
import pytest
from examples import small_images
from input_gradient_mutants import of_input_gradients
from judged import judged, reference_of, shares
from mutants import mutants
from random_settings import random_job, random_network

from trainmark.study import plugins
from worker import networks
from worker.frameworks.numpy.adapter import Adapter
from worker.job import Job
from worker.networks.families.gpt import Size, decoder
from worker.networks.neutral.builder import Network
from worker.proof.observe import attack, training


def residual_network():
    """What LeNet lacks: padding, groups, batch norm, normalised responses, a shortcut."""
    net = Network((3, 32, 32), 10)
    x = net.batch_norm("norm", net.conv("conv", net.input, 8, kernel=3, padding=1, bias=False))
    x = net.max_pool("pool", net.lrn("responses", net.relu("relu", x)), kernel=3, stride=2)
    y = net.conv_relu("grouped", x, 8, kernel=3, padding=1, groups=2)
    x = net.global_average_pool("mean", net.add("add", x, y))
    net.dense("dense", x, 10)
    return net


def transformer_block():
    """What transformers have of their own: normalised tokens, attention, GELU."""
    net = Network((3, 32, 32), 10)
    x = net.patch_tokens("patches", net.input, 24, kernel=8)
    y = net.dense("in", net.layer_norm("norm1", x), 3 * 24, gain=1)
    x = net.add("add1", x, net.attention("heads", y, heads=2))
    y = net.gelu("gelu", net.dense("wide", net.layer_norm("norm2", x), 4 * 24, gain=1))
    x = net.add("add2", x, net.dense("narrow", y, 24, gain=1))
    net.dense("dense", net.first_token("class_token", x), 10)
    return net


def decoder_of_two_blocks():
    """What language models have of their own: a mask, positions, one table at both ends."""
    net = Network((1, 1, 24), 256)
    decoder(net, Size(blocks=2, features=24, heads=2))
    return net


def networks_of_plugins():
    """The networks found that take a fraction of a second, in their forms for small images."""
    for name in plugins.names("network"):
        job = Job(**small_images(name))
        network = networks.build(name, job.image_shape, job.classes).without_dropout()
        if network.parameter_count < 10**6:
            yield name, network, job


JOB = Job(**small_images("lenet"))
OWN = [
    ("residual", residual_network(), JOB),
    ("transformer", transformer_block(), JOB),
    ("decoder", decoder_of_two_blocks(), Job(**small_images("char_lstm"))),
]
NETWORKS = [*OWN, *networks_of_plugins()]
WRONG = [
    pytest.param(name, mutant, id=f"{name}: {mutant.title}")
    for name, network, job in NETWORKS
    for mutant in mutants(network, job)
]


@cache
def reference(name, observe):
    """The reference of one of the networks: the same for all its mutants."""
    _, network, job = next(row for row in NETWORKS if row[0] == name)
    return reference_of(network, job, observe), network, job


@pytest.mark.parametrize(("name", "mutant"), WRONG)
def test_wrong_work_fails(name, mutant):
    right, network, job = reference(name, training)
    result = judged(right, mutant.adapter(job), network, job)
    assert max(shares(result).values()) > 1.5


DIFFERENTIATED = [row for row in NETWORKS if not networks.reads_text(row[2].network)]
WRONG_INPUT_GRADIENTS = [
    pytest.param(name, mutant, id=f"{name}: {mutant.title}")
    for name, network, job in DIFFERENTIATED
    for mutant in of_input_gradients(network, job)
]


@pytest.mark.parametrize(("name", "mutant"), WRONG_INPUT_GRADIENTS)
def test_a_wrong_input_gradient_fails_beside_right_logits(name, mutant):
    right, network, job = reference(name, attack)
    result = judged(right, mutant.adapter(job), network, job, observe=attack)
    assert shares(result)["logits"] < 0.1
    assert shares(result)["input_gradient"] > 1.5


@pytest.mark.parametrize("name", [name for name, *_ in DIFFERENTIATED])
def test_the_right_input_gradient_passes(name):
    right, network, job = reference(name, attack)
    result = judged(right, Adapter(job), network, job, observe=attack)
    assert result["passed"]
    assert result["input_gradient"] < 1e-6


def test_each_mutant_is_of_one_of_these_networks():
    assert len({mutant.title for _, net, job in NETWORKS for mutant in mutants(net, job)}) == 22
    titles = {m.title for _, net, job in DIFFERENTIATED for m in of_input_gradients(net, job)}
    assert len(titles) == 9


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
@pytest.mark.parametrize("seed", range(40))
def test_right_work_passes_in_random_settings(seed):
    dice = numpy.random.RandomState(seed)
    network = random_network(dice)
    job = random_job(dice, network)
    assert any(
        judged(reference_of(network, job, training, draw), Adapter(job), network, job, draw)[
            "passed"
        ]
        for draw in (0, 1)
    )
