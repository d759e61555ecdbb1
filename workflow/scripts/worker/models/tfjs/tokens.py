"""The layers of tokens (n, tokens, features) as operators of TensorFlow.js."""

from functools import partial
from typing import Tuple

import numpy

from worker.models.tfjs.graph import Graph, Tensor, Type
from worker.models.tfjs.layers import (
    ByRole,
    added,
    convolved,
    multiplied,
    reshaped,
    split,
)
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds, lacking


def patch_tokens(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A class token and those of patches, with learnt positions.

    The class token is a row of zeros before the patches, to which its position adds it.
    """
    size, (count, features) = layer.settings["kernel"], layer.shape
    window = dict(kernel=size, stride=size)
    patches = convolved(graph, "_FusedConv2D", window, weights["kernel"], weights["bias"], x)
    patches = reshaped(graph, patches, (count - 1, features))
    widths = graph.constant(numpy.array([(0, 0), (1, 0), (0, 0)], numpy.int32))
    filled = graph.constant(numpy.float32(0))
    y = graph.operator("PadV2", [patches, widths, filled], layer.shape)
    positions = weights["positions"].copy()
    positions[0] += weights["class_token"]
    return added(graph, y, graph.constant(positions))


def embedding(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A row of the table for each byte, in the order of the channels-first image."""
    height, width, channels = x.shape
    x = transposed(graph, x, (2, 0, 1)) if channels > 1 else x
    x = reshaped(graph, x, (height * width * channels,))
    numbers = graph.operator("Cast", [x], x.shape, SrcT=Type.float32, DstT=Type.int32)
    table = graph.constant(weights["table"])
    return gathered(graph, table, numbers, 0, layer.shape)


def positions(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A learnt vector added to each token."""
    return added(graph, x, graph.constant(weights["positions"]))


def layer_norm(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Normalisation over features, by means, as there is no operator for it."""
    one = (*x.shape[:-1], 1)

    def mean(of: Tensor) -> Tensor:
        return graph.operator("Mean", [of, graph.numbers(2)], one, keep_dims=True)

    centred = graph.operator("Sub", [x, mean(x)], x.shape)
    square = mean(multiplied(graph, centred, centred))
    epsilon = graph.constant(numpy.float32(layer.settings["epsilon"]))
    factor = graph.operator("Rsqrt", [added(graph, square, epsilon)], one)
    y = multiplied(graph, multiplied(graph, centred, factor), graph.constant(weights["scale"]))
    return added(graph, y, graph.constant(weights["shift"]))


def attention(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Two batched products and a softmax."""
    (tokens, features), heads = layer.shape, layer.settings["heads"]
    each = features // heads
    query, key, value = (
        transposed(graph, reshaped(graph, part, (tokens, heads, each)), (1, 0, 2))
        for part in split(graph, x, 3)
    )
    query = multiplied(graph, query, graph.constant(numpy.float32(each**-0.5)))
    scores = graph.operator("BatchMatMulV2", [query, key], (heads, tokens, tokens), adj_y=True)
    shares = graph.operator("Softmax", [scores], scores.shape)
    y = graph.operator("BatchMatMulV2", [shares, value], value.shape)
    return reshaped(graph, transposed(graph, y, (1, 0, 2)), (tokens, features))


def token(number: int, graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """The token of that number of each image, from the end where it is negative."""
    return gathered(graph, x, graph.number(number % x.shape[0]), 1, layer.shape)


def gathered(graph: Graph, x: Tensor, numbers: Tensor, axis: int, shape: Tuple[int, ...]) -> Tensor:
    """The entries of these numbers along an axis."""
    return graph.operator("GatherV2", [x, numbers, graph.number(axis)], shape, batch_dims=0)


def transposed(graph: Graph, x: Tensor, axes: Tuple[int, ...]) -> Tensor:
    """The axes of each image in another order."""
    order = graph.numbers(0, *(axis + 1 for axis in axes))
    return graph.operator("Transpose", [x, order], [x.shape[axis] for axis in axes])


OF_TOKENS: Kinds = {
    "patch_tokens": patch_tokens,
    "embedding": embedding,
    "positions": positions,
    "lstm": lacking("TensorFlow.js has no operator of an LSTM for graph models"),
    "layer_norm": layer_norm,
    "attention": attention,
    "first_token": partial(token, 0),
    "last_token": partial(token, -1),
}
