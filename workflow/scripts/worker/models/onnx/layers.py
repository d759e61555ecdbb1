"""The layers as operators of ONNX, for neutral.forward."""

import math
from functools import partial
from typing import Any, Dict

import numpy
from onnx import TensorProto

from worker.models.onnx.graph import Constant, Graph
from worker.networks.neutral.builder import BATCH_NORM_ROLES, Layer
from worker.networks.neutral.forward import Kinds

ByRole = Dict[str, Constant]
"""A layer's weights by role."""


def kinds(graph: Graph) -> Kinds:
    """Functions of layers that add operators to a graph and return the name of their output."""
    return {kind: partial(function, graph) for kind, function in KINDS.items()}


def conv(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Convolution with or without bias, in groups."""
    tensors = [weights[role] for role in ("kernel", "bias") if role in weights]
    return graph.node("Conv", x, *tensors, **window(layer), group=layer.settings["groups"])


def batch_norm(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Batch normalisation by the running statistics."""
    tensors = [weights[role] for role in BATCH_NORM_ROLES]
    return graph.node("BatchNormalization", x, *tensors, epsilon=layer.settings["epsilon"])


def relu6(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Clipping at 0 and at 6."""
    bounds = [graph.constant(bound, numpy.float32) for bound in (0, 6)]
    return graph.node("Clip", x, *bounds)


def silu(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """The product of x and its sigmoid."""
    return graph.node("Mul", x, graph.node("Sigmoid", x))


def gelu(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """The exact GELU, by the error function: x / 2 * (1 + erf(x / sqrt(2)))."""
    scaled = graph.node("Mul", x, graph.constant(math.sqrt(0.5), numpy.float32))
    factor = graph.node("Add", graph.node("Erf", scaled), graph.constant(1, numpy.float32))
    half = graph.node("Mul", x, graph.constant(0.5, numpy.float32))
    return graph.node("Mul", half, factor)


def max_pool(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Maximum over windows; padding is never the maximum."""
    return graph.node("MaxPool", x, **window(layer))


def average_pool(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Mean of the pixels of each window that are within the image."""
    return graph.node("AveragePool", x, **window(layer), count_include_pad=0)


def lrn(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Local response normalisation; like the neutral layer, ONNX divides alpha by the size."""
    return graph.node("LRN", x, **layer.settings, bias=1.0)


def concat(graph: Graph, layer: Layer, weights: ByRole, *inputs: str) -> str:
    """The inputs' channels, one input after the other."""
    return graph.node("Concat", *inputs, axis=1)


def global_average_pool(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Mean over height and width: (n, C, H, W) to (n, C)."""
    return graph.node("Flatten", graph.node("GlobalAveragePool", x), axis=1)


def dense(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Affine map of an image flattened channels first, or of each token."""
    kernel, bias = weights["kernel"], weights["bias"]
    if len(layer.shape) == 1:
        return graph.node("Gemm", graph.node("Flatten", x, axis=1), kernel, bias, transB=1)
    return graph.node("Add", graph.node("MatMul", x, _transposed(kernel)), bias)


def multiply(graph: Graph, layer: Layer, weights: ByRole, x: str, factors: str) -> str:
    """Images times a factor per channel."""
    return graph.node("Mul", x, graph.node("Unsqueeze", factors, graph.constant([2, 3])))


def patch_tokens(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """A class token, then a token for each patch, plus learnt positions."""
    size, features = layer.settings["kernel"], layer.settings["features"]
    tensors = [weights["kernel"], weights["bias"]]
    patches = graph.node("Conv", x, *tensors, kernel_shape=[size] * 2, strides=[size] * 2)
    patches = graph.node("Reshape", patches, graph.constant([0, features, -1]))
    patches = graph.node("Transpose", patches, perm=[0, 2, 1])
    count = graph.node("Shape", x, start=0, end=1)
    shape = graph.node("Concat", count, graph.constant([1, features]), axis=0)
    first = graph.node("Expand", weights["class_token"], shape)
    tokens = graph.node("Concat", first, patches, axis=1)
    return graph.node("Add", tokens, weights["positions"])


def embedding(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """A row of the table for each byte."""
    numbers = graph.node("Cast", graph.node("Flatten", x, axis=1), to=TensorProto.INT32)
    return graph.node("Gather", weights["table"], numbers)


def lstm(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """ONNX's LSTM, on (tokens, n, features), in one direction; its second bias is 0.

    ONNX's gates are in the order i, o, f, c: the neutral layout's fourth gate becomes the second.
    """
    units = layer.settings["units"]

    def reordered(role: str, *others: numpy.ndarray) -> Constant:
        name, array = weights[role]
        gates = array.reshape(4, units, -1)[[0, 3, 1, 2]].reshape(array.shape)
        return Constant(name, numpy.concatenate([gates, *others])[None])

    no_bias = numpy.zeros(4 * units, numpy.float32)
    tensors = [reordered("kernel"), reordered("recurrent"), reordered("bias", no_bias)]
    by_token = graph.node("Transpose", x, perm=[1, 0, 2])
    y = graph.node("LSTM", by_token, *tensors, hidden_size=units)
    return graph.node("Transpose", graph.node("Squeeze", y, graph.constant([1])), perm=[1, 0, 2])


def layer_norm(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Normalisation over features."""
    tensors = [weights[role] for role in ("scale", "shift")]
    return graph.node("LayerNormalization", x, *tensors, epsilon=layer.settings["epsilon"])


def attention(graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Two batched products and a softmax."""
    tokens, features = layer.shape
    heads = layer.settings["heads"]
    head_features = features // heads
    parts = graph.node("Reshape", x, graph.constant([0, tokens, 3, heads, head_features]))
    parts = graph.node("Transpose", parts, perm=[2, 0, 3, 1, 4])
    query, key, value = (
        graph.node("Gather", parts, graph.constant(number), axis=0) for number in range(3)
    )
    query = graph.node("Mul", query, graph.constant(head_features**-0.5, numpy.float32))
    scores = graph.node("MatMul", query, graph.node("Transpose", key, perm=[0, 1, 3, 2]))
    y = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
    y = graph.node("Transpose", y, perm=[0, 2, 1, 3])
    return graph.node("Reshape", y, graph.constant([0, tokens, features]))


def token(number: int, graph: Graph, layer: Layer, weights: ByRole, x: str) -> str:
    """Each image's token of this number; -1 is the last."""
    return graph.node("Gather", x, graph.constant(number), axis=1)


def operator(name: str) -> Any:
    """The function of a layer that is one operator of ONNX, without weights or attributes."""

    def added(graph: Graph, layer: Layer, weights: ByRole, *inputs: str) -> str:
        return graph.node(name, *inputs)

    return added


def window(layer: Layer) -> Dict[str, Any]:
    """Kernel, stride and padding as ONNX's attributes; pads are at top, left, bottom and right."""
    settings = layer.settings
    padding, overhang = settings.get("padding", 0), settings.get("overhang", (0, 0))
    pads = [padding] * 2 + [padding + over for over in overhang]
    return dict(kernel_shape=[settings["kernel"]] * 2, strides=[settings["stride"]] * 2, pads=pads)


def _transposed(kernel: Constant) -> Constant:
    return Constant(kernel.name, kernel.array.T)


KINDS: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": operator("Relu"),
    "relu6": relu6,
    "silu": silu,
    "sigmoid": operator("Sigmoid"),
    "tanh": operator("Tanh"),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "concat": concat,
    "global_average_pool": global_average_pool,
    "dense": dense,
    "add": operator("Add"),
    "multiply": multiply,
    "patch_tokens": patch_tokens,
    "embedding": embedding,
    "positions": lambda graph, layer, weights, x: graph.node("Add", x, weights["positions"]),
    "lstm": lstm,
    "layer_norm": layer_norm,
    "gelu": gelu,
    "attention": attention,
    "first_token": partial(token, 0),
    "last_token": partial(token, -1),
}
