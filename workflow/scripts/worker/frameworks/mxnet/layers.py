"""The layers as symbols of MXNet, for neutral.forward."""

from functools import partial
from typing import Any, Callable, Dict, Sequence

from mxnet import sym

from worker.frameworks.mxnet import releases
from worker.networks.neutral.builder import BATCH_NORM_ROLES, RELU6_LEAST, Layer
from worker.networks.neutral.forward import Kinds

ByRole = Dict[str, sym.Symbol]
"""A layer's weights by role."""
LOWEST = -1e4
"""What a mask adds to scores: exp() of it is 0, and float16 has it."""


def conv(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Convolution with or without bias, in groups."""
    kernel, bias = weights["kernel"], weights.get("bias")
    channels, groups = layer.settings["channels"], layer.settings["groups"]
    settings = dict(window(layer), num_filter=channels, num_group=groups, no_bias=bias is None)
    return sym.Convolution(x, kernel, bias, **settings)


def max_pool(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Maximum over windows."""
    return sym.Pooling(x, pool_type="max", pooling_convention=convention(layer), **window(layer))


def average_pool(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Mean over windows, of their pixels within the image."""
    settings = dict(window(layer), pooling_convention=convention(layer), count_include_pad=False)
    return sym.Pooling(x, pool_type="avg", **settings)


def convention(layer: Layer) -> str:
    """The pooling convention: whether the last windows reach over the edge."""
    return "full" if any(layer.settings["overhang"]) else "valid"


def batch_norm(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Batch normalisation with a trained scale."""
    epsilon, momentum = layer.settings["epsilon"], layer.settings["momentum"]
    symbols = [weights[role] for role in BATCH_NORM_ROLES]
    return sym.BatchNorm(x, *symbols, eps=epsilon, momentum=momentum, fix_gamma=False)


def lrn(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Local response normalisation; MXNet, too, divides alpha by the size.

    On the CPU, the gradient of MXNet 1.9.1 is wrong where the incoming gradient has oneDNN's
    blocked layout, as after a convolution or pooling. An elementwise product, which isn't one of
    oneDNN's operators, changes that to the plain layout.
    """
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    y = sym.LRN(x, alpha=alpha, beta=beta, knorm=1, nsize=size)
    return y * sym.ones_like(y)


def global_average_pool(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Mean over height and width, without their axes."""
    return sym.Flatten(sym.Pooling(x, kernel=(1, 1), pool_type="avg", global_pool=True))


def dense(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Affine map of each token, or of the channels-first flattened input."""
    settings = dict(num_hidden=layer.settings["units"], flatten=len(layer.shape) == 1)
    return sym.FullyConnected(x, weights["kernel"], weights["bias"], **settings)


def patch_tokens(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """A class token and those of patches, with learnt positions."""
    pair = (layer.settings["kernel"],) * 2
    settings = dict(kernel=pair, stride=pair, num_filter=layer.settings["features"])
    patches = sym.Convolution(x, weights["kernel"], weights["bias"], **settings)
    patches = sym.transpose(sym.reshape(patches, (0, 0, -1)), (0, 2, 1))
    zeros = sym.zeros_like(sym.slice_axis(patches, axis=1, begin=0, end=1))
    first = sym.broadcast_add(zeros, weights["class_token"])
    return sym.broadcast_add(sym.Concat(first, patches, dim=1), weights["positions"])


def embedding(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """A row of the table for each value."""
    rows, features = layer.weights[0].shape
    return sym.Embedding(sym.Flatten(x), weights["table"], input_dim=rows, output_dim=features)


def unembedding(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """The products of each token and all rows of the table."""
    settings = dict(num_hidden=layer.settings["rows"], no_bias=True, flatten=False)
    return sym.FullyConnected(x, weights["table"], **settings)


def lstm(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """MXNet's fused operator, from a state of 0."""
    return lstm_from(lstm_start(layer, weights, x), layer, weights, x)[0]


def lstm_start(layer: Layer, weights: ByRole, x: sym.Symbol) -> Sequence[sym.Symbol]:
    """An output and a cell of 0, each (1, n, units).

    Zeros are made by zeros_like(), as mixed precision (amp) doesn't support other ways.
    """
    of_batch = sym.slice(sym.transpose(x, (1, 0, 2)), begin=(0, None, 0), end=(1, None, 1))
    no_bias = sym.zeros_like(weights["bias"])
    of_units = sym.slice_axis(no_bias, axis=0, begin=0, end=layer.settings["units"])
    start = sym.broadcast_add(sym.zeros_like(of_batch), sym.reshape(of_units, (1, 1, -1)))
    return start, start


def lstm_from(
    state: Sequence[sym.Symbol], layer: Layer, weights: ByRole, x: sym.Symbol
) -> Sequence[sym.Symbol]:
    """MXNet's fused operator: the outputs (n, tokens, units), and the last output and cell.

    It takes tokens (tokens, n, features), and all weights as one vector; the second of its biases
    is 0.
    """
    flat = [sym.reshape(weights[role], (-1,)) for role in ("kernel", "recurrent", "bias")]
    packed = sym.Concat(*flat, sym.zeros_like(weights["bias"]), dim=0)
    settings = dict(mode="lstm", state_size=layer.settings["units"], num_layers=1)
    x = sym.transpose(x, (1, 0, 2))
    y, output, cell = sym.RNN(x, packed, *state, state_outputs=True, **settings)
    return sym.transpose(y, (1, 0, 2)), output, cell


def layer_norm(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """Normalisation over features."""
    return releases.layer_norm(x, weights["scale"], weights["shift"], layer.settings["epsilon"])


Numbers = Callable[[int, sym.Symbol], sym.Symbol]
"""Makes the numbers 0, 1, ... (tokens,), from their count or by a symbol (n, tokens, size)."""


def attention(
    layer: Layer,
    weights: ByRole,
    x: sym.Symbol,
    numbers_of: Numbers = lambda tokens, x: sym.arange(tokens),
) -> sym.Symbol:
    """Two batched products and a softmax; MXNet's fused ones need the parts in another order."""
    tokens, features = layer.shape
    heads = layer.settings["heads"]
    query, key, value = parts_of(layer, x)
    scores = sym.batch_dot(query, key, transpose_b=True)
    if layer.settings["causal"]:
        numbers = numbers_of(tokens, query)
        later = sym.broadcast_greater(
            sym.reshape(numbers, (1, 1, -1)), sym.reshape(numbers, (1, -1, 1))
        )
        scores = sym.broadcast_add(scores, LOWEST * later)
    shares = sym.softmax(scores)
    y = sym.reshape(sym.batch_dot(shares, value), (-1, heads, tokens, features // heads))
    return sym.reshape(sym.transpose(y, (0, 2, 1, 3)), (-1, tokens, features))


def parts_of(layer: Layer, x: sym.Symbol) -> Sequence[sym.Symbol]:
    """Scaled queries, keys and values, each (n * heads, tokens, size)."""
    (tokens, features), heads = layer.shape, layer.settings["heads"]
    each = features // heads
    parts = sym.reshape(x, (-1, tokens, 3, heads, each))
    parts = sym.transpose(parts, (2, 0, 3, 1, 4))
    query, key, value = (
        sym.reshape(sym.slice_axis(parts, axis=0, begin=i, end=i + 1), (-1, tokens, each))
        for i in range(3)
    )
    return query * each**-0.5, key, value


def token(number: int, layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """The token of that number of each image."""
    settings = dict(begin=number, end=None if number == -1 else number + 1)
    return sym.reshape(sym.slice_axis(x, axis=1, **settings), (0, -1))


def multiply(layer: Layer, weights: ByRole, x: sym.Symbol, factors: sym.Symbol) -> sym.Symbol:
    """Images times a factor per channel; in the shape, 0 keeps the factors' size."""
    return sym.broadcast_mul(x, sym.reshape(factors, (0, 0, 1, 1)))


def window(layer: Layer) -> Dict[str, Any]:
    """Kernel, stride and padding as MXNet's arguments."""
    names = {"kernel": "kernel", "stride": "stride", "pad": "padding"}
    return {name: (layer.settings.get(setting, 0),) * 2 for name, setting in names.items()}


KINDS: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": lambda layer, weights, x: sym.Activation(x, act_type="relu"),
    "relu6": lambda layer, weights, x: sym.clip(x, RELU6_LEAST, 6),
    "silu": lambda layer, weights, x: x * sym.sigmoid(x),
    "sigmoid": lambda layer, weights, x: sym.sigmoid(x),
    "tanh": lambda layer, weights, x: sym.tanh(x),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: sym.Dropout(x, p=layer.settings["rate"]),
    "concat": lambda layer, weights, *inputs: sym.Concat(*inputs, dim=1),
    "global_average_pool": global_average_pool,
    "dense": dense,
    "add": lambda layer, weights, x, y: x + y,
    "patch_tokens": patch_tokens,
    "layer_norm": layer_norm,
    "gelu": lambda layer, weights, x: releases.gelu(x),
    "attention": attention,
    "embedding": embedding,
    "unembedding": unembedding,
    "positions": lambda layer, weights, x: sym.broadcast_add(x, weights["positions"]),
    "lstm": lstm,
    "first_token": partial(token, 0),
    "last_token": partial(token, -1),
    "multiply": multiply,
}
