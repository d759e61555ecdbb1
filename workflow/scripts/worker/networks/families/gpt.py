"""Decoders of GPT-2's form: blocks that normalise before attention and before dense layers."""

from typing import NamedTuple

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import constant, normal
from worker.networks.neutral.layer import Starts
from worker.networks.neutral.shapes import WrongShape

EPSILON = 1e-5
MOST_TOKENS = 1024
DEVIATION = 0.02  # of initial weights; before a sum, divided by the root of the number of sums
STARTS: Starts = (normal(DEVIATION), constant(0))
"""Initial weights and biases of dense layers."""


class Size(NamedTuple):
    """The size of a decoder."""

    blocks: int
    features: int
    heads: int

    @property
    def before_sum(self) -> Starts:
        """Initial weights and biases of the two dense layers of a block whose output is added."""
        return normal(DEVIATION / (2 * self.blocks) ** 0.5), constant(0)


def decoder(net: Network, size: Size) -> Layer:
    """Embeddings, blocks, and logits by the table of the embedding; no dropout."""
    if net.token_count > MOST_TOKENS:
        raise WrongShape(f"there are {MOST_TOKENS} positions, and {net.token_count} tokens")
    table = net.embedding("tokens", net.input, size.features, net.classes, DEVIATION)
    x = net.positions("positions", table)
    for number in range(1, size.blocks + 1):
        x = attend(net, f"block{number}/attention", x, size)
        x = transform(net, f"block{number}/dense", x, size)
    return net.unembedding("logits", net.layer_norm("norm", x, EPSILON), table)


def attend(net: Network, name: str, x: Layer, size: Size) -> Layer:
    """Causal attention of the normalised tokens, added to them."""
    y = net.layer_norm(name + "/norm", x, EPSILON)
    y = net.dense(name + "/in", y, 3 * size.features, gain=1, initial=STARTS)
    y = net.attention(name + "/heads", y, size.heads, causal=True)
    y = net.dense(name + "/out", y, size.features, gain=1, initial=size.before_sum)
    return net.add(name + "/add", x, y)


def transform(net: Network, name: str, x: Layer, size: Size) -> Layer:
    """Two dense layers of each normalised token, four times as wide between them, added to it."""
    y = net.layer_norm(name + "/norm", x, EPSILON)
    y = net.dense(name + "/in", y, 4 * size.features, gain=1, initial=STARTS)
    y = net.gelu(name + "/gelu", y)
    y = net.dense(name + "/out", y, size.features, gain=1, initial=size.before_sum)
    return net.add(name + "/add", x, y)
