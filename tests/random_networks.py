"""Random networks of the neutral builder, each from a number: a list of steps that add layers.

A step that doesn't fit what is there, such as a window larger than the image, is passed over. So
any part of a list of steps is a network, too, and one that fails can be shrunk.
"""

from collections import namedtuple

import numpy

from worker.networks.neutral.builder import Network
from worker.networks.neutral.layer import RANKS
from worker.networks.neutral.shapes import WrongShape

MOST_STEPS = 7
SMALLEST_NORM = 8
"""The fewest pixels of an image that a batch norm is tried on: few values vary by rounding."""

Drawn = namedtuple("Drawn", "steps image_shape classes settings")
"""A network's steps, and the settings of its job that differ from those of LeNet's."""


def of_number(number):
    """The network and the job of a number."""
    draws = numpy.random.RandomState(number)
    reads_text = draws.rand() < 0.2
    shape = [1, 2, 4] if reads_text else [int(draws.choice([1, 3])), *_sides(draws)]
    steps = [_step(draws) for _ in range(draws.randint(1, MOST_STEPS + 1))]
    if reads_text:
        steps.insert(0, dict(_step(draws), kind="embedding"))
    settings = {
        "network": "text_lstm" if reads_text else "lenet",
        "image_shape": shape,
        "classes": int(draws.randint(2, 8)),
        "batch_size": int(draws.randint(1, 34)),
        "optimiser": str(draws.choice(["sgd", "adam"])),
        "learning_rate": float(10 ** draws.uniform(-5, -1)),
        "seed": int(draws.randint(1000)),
    }
    if settings["optimiser"] == "adam":
        settings.update(momentum=0.0)
    return Drawn(steps, shape, settings["classes"], settings)


def build(steps, image_shape, classes):
    """The network of some steps, with a last layer that gives the logits."""
    net = Network(image_shape, classes)
    x = net.input
    for number, step in enumerate(steps):
        before = list(net.layers)
        if len(x.shape) not in RANKS.get(step["kind"], (3,)):
            continue
        try:
            x = KINDS[step["kind"]](net, f"layer{number}", x, step)
        except WrongShape:
            net.layers = before
            x = before[-1]
    if len(x.shape) == 2:
        x = net.last_token("last", x)
    net.dense("logits", x, classes)
    net.check_end()
    return net


def text_of(network):
    """A network in one line: each layer's kind, its settings, and the shape that it gives."""
    layers = [network.input, *network.layers[1:]]
    return "; ".join(
        f"{layer.kind}{layer.settings or ''} -> {'x'.join(map(str, layer.shape))}"
        for layer in layers
    )


def _sides(draws):
    return [int(side) for side in draws.randint(5, 18, 2)]


def _step(draws):
    """A kind, and a number for whatever settings it has."""
    return {
        "kind": str(draws.choice(sorted(KINDS))),
        "channels": int(draws.choice([4, 6, 8, 12, 16, 24])),
        "kernel": int(draws.randint(1, 6)),
        "stride": int(draws.randint(1, 4)),
        "padding": int(draws.randint(0, 3)),
        "groups": int(draws.choice([1, 1, 2, 4])),
        "flag": bool(draws.randint(2)),
    }


def _window(step):
    """Kernel, stride, and a padding of half the kernel at most, as frameworks demand of pools."""
    kernel = step["kernel"]
    padding = min(step["padding"], kernel // 2)
    return dict(kernel=kernel, stride=min(step["stride"], kernel), padding=padding)


def conv(net, name, x, step):
    """A convolution, in groups where the channels allow it."""
    groups = step["groups"] if x.shape[0] % step["groups"] == 0 else 1
    groups = groups if step["channels"] % groups == 0 else 1
    settings = dict(_window(step), groups=groups, bias=step["flag"])
    return net.conv(name, x, step["channels"], **settings)


def batch_norm(net, name, x, step):
    """A batch norm of images that aren't too small."""
    if x.shape[1] * x.shape[2] < SMALLEST_NORM:
        raise WrongShape("too few pixels")
    return net.batch_norm(name, x)


def max_pool(net, name, x, step):
    """Maxima, of whole windows or of partial ones, too."""
    return net.max_pool(name, x, partial=step["flag"], **_window(step))


def average_pool(net, name, x, step):
    """Means, of whole windows or of partial ones, too."""
    window = _window(step)
    return net.average_pool(name, x, window["kernel"], window["stride"], partial=step["flag"])


def concat(net, name, x, step):
    """The input beside a convolution of it."""
    return net.concat(name, x, net.conv(f"{name}/branch", x, step["channels"], kernel=1))


def add(net, name, x, step):
    """The input and its tanh."""
    return net.add(name, x, net.tanh(f"{name}/branch", x))


def multiply(net, name, x, step):
    """An image weighed by its channels."""
    gates = net.dense(f"{name}/gates", net.global_average_pool(f"{name}/means", x), x.shape[0])
    return net.multiply(name, x, net.sigmoid(f"{name}/gate", gates))


def attention(net, name, x, step):
    """Attention, causal or not, with the dense layer that makes queries, keys and values."""
    parts = net.dense(f"{name}/parts", x, 3 * step["channels"])
    return net.attention(name, parts, heads=2, causal=step["flag"])


def embedding(net, name, x, step):
    """Tokens of bytes, which only the input has."""
    if x.kind != "input" or x.shape != (1, 2, 4):
        raise WrongShape("no bytes")
    return net.embedding(name, x, step["channels"])


def unembedding(net, name, x, step):
    """Products of tokens and the rows of the embedding's table, as wide as the table is."""
    tables = [layer for layer in net.layers if layer.kind == "embedding"]
    if not tables:
        raise WrongShape("no table")
    features = tables[0].shape[1]
    return net.unembedding(name, net.dense(f"{name}/in", x, features), tables[0])


def _plain(kind):
    """A kind without settings."""
    return lambda net, name, x, step: getattr(net, kind)(name, x)


KINDS = {
    **{kind: _plain(kind) for kind in ("relu", "relu6", "silu", "sigmoid", "tanh", "gelu")},
    **{kind: _plain(kind) for kind in ("layer_norm", "positions", "first_token", "last_token")},
    **{kind: _plain(kind) for kind in ("global_average_pool", "lrn")},
    "conv": conv,
    "batch_norm": batch_norm,
    "max_pool": max_pool,
    "average_pool": average_pool,
    "concat": concat,
    "add": add,
    "multiply": multiply,
    "attention": attention,
    "embedding": embedding,
    "unembedding": unembedding,
    "dense": lambda net, name, x, step: net.dense(name, x, step["channels"]),
    "lstm": lambda net, name, x, step: net.lstm(name, x, step["channels"]),
    "patch_tokens": lambda net, name, x, step: net.patch_tokens(
        name, x, step["channels"], step["kernel"]
    ),
}
