"""Random settings of a training: little networks of every kind of layer, jobs of every scale."""

from collections.abc import Callable
from typing import Any

import numpy
from examples import LENET

from worker.job import Job
from worker.networks.neutral.builder import Layer, Network

Dice = numpy.random.RandomState


def random_job(dice: Dice, network: Network) -> Job:
    """A training of a network: rates from 1e-5 to 1, batches from 1 to 64."""
    return Job(**LENET)._replace(
        image_shape=list(network.input.shape),
        classes=network.classes,
        batch_size=int(dice.choice([1, 2, 3, 5, 8, 16, 64])),
        learning_rate=float(10 ** dice.uniform(-5, 0)),
        momentum=float(dice.choice([0, 0.5, 0.9, 0.99])),
        weight_decay=float(dice.choice([0, 1e-5, 5e-4, 1e-2])),
        seed=int(dice.randint(10**6)),
        threads=1,
    )


def random_network(dice: Dice) -> Network:
    """One to six blocks, and one or two dense layers behind them."""
    size = int(dice.randint(8, 24))
    net = Network((int(dice.randint(1, 4)), size, size), int(dice.randint(2, 20)))
    x = net.input
    for number in range(dice.randint(1, 7)):
        x = BLOCKS[dice.randint(len(BLOCKS))](net, f"block{number}", x, dice)
    if dice.randint(2):
        x = net.global_average_pool("mean", x)
    if dice.randint(2):
        x = net.relu("hidden/relu", net.dense("hidden", x, int(dice.randint(4, 64))))
    net.dense("end", x, net.classes)
    return net


def convolution(net: Network, name: str, x: Layer, dice: Dice, bias: bool = True) -> Layer:
    """In groups where the channels can be divided, as depthwise ones at most."""
    channels = int(dice.choice([4, 8, 16]))
    groups = [n for n in (1, 2, x.shape[0]) if x.shape[0] % n == channels % n == 0]
    kernel = int(dice.choice([1, 3, 5]))
    stride = int(dice.choice([1, 2]) if x.shape[1] > 4 else 1)
    settings: dict[str, Any] = dict(kernel=kernel, stride=stride, padding=kernel // 2, bias=bias)
    return net.conv(name, x, channels, groups=int(dice.choice(groups)), **settings)


def plain(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    return net.relu(name + "/relu", convolution(net, name, x, dice))


def squashed(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    x = convolution(net, name, x, dice)
    return [net.tanh, net.sigmoid][dice.randint(2)](name + "/squashed", x)


def linear(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    return convolution(net, name, x, dice)


def normalised(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    x = net.batch_norm(name + "/norm", convolution(net, name, x, dice, bias=False))
    return net.relu(name + "/relu", x)


def residual(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    settings: dict[str, Any] = dict(channels=x.shape[0], kernel=3, padding=1, bias=False)
    y = net.batch_norm(name + "/norm1", net.conv(name + "/conv1", x, **settings))
    y = net.conv(name + "/conv2", net.relu(name + "/relu1", y), **settings)
    y = net.batch_norm(name + "/norm2", y, scale=float(dice.choice([0.2, 1])))
    return net.relu(name + "/relu", net.add(name + "/add", x, y))


def branched(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    one = net.conv_relu(name + "/one", x, 4, kernel=1)
    pooled = net.max_pool(name + "/pool", x, kernel=3, stride=1, padding=1)
    return net.concat(name + "/concat", one, pooled)


def pooled(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    if x.shape[1] < 4:
        return x
    settings: dict[str, Any] = dict(
        kernel=int(dice.choice([2, 3])), stride=2, partial=bool(dice.randint(2))
    )
    return net.max_pool(name, x, **settings)


def averaged(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    if x.shape[1] < 4:
        return x
    kernel, reaches_over = int(dice.choice([2, 3])), bool(dice.randint(2))
    return net.average_pool(name, x, kernel=kernel, stride=2, partial=reaches_over)


def recurrent(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    """Tokens of patches, read by an LSTM, and what it has read as a gate of each channel."""
    tokens = net.patch_tokens(name + "/patches", x, 8, kernel=min(4, x.shape[1]))
    tokens = net.layer_norm(name + "/norm", net.positions(name + "/positions", tokens))
    read = net.last_token(name + "/last", net.lstm(name + "/lstm", tokens, 8))
    factors = net.sigmoid(name + "/gate", net.dense(name + "/gates", read, x.shape[0], gain=1))
    return net.multiply(name + "/product", x, factors)


def gated(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    """Squeeze and excitation: each channel times a factor that follows from all their means."""
    x = net.relu6(name + "/relu6", convolution(net, name, x, dice))
    means = net.global_average_pool(name + "/means", x)
    hidden = net.silu(name + "/silu", net.dense(name + "/squeeze", means, 4))
    factors = net.dense(name + "/excite", hidden, x.shape[0])
    return net.multiply(name + "/product", x, net.sigmoid(name + "/sigmoid", factors))


def responses(net: Network, name: str, x: Layer, dice: Dice) -> Layer:
    return net.lrn(name, x)


BLOCKS: list[Callable[[Network, str, Layer, Dice], Layer]] = [
    plain,
    squashed,
    linear,
    normalised,
    residual,
    branched,
    pooled,
    averaged,
    gated,
    responses,
    recurrent,
]
