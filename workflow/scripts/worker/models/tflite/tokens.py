"""The layers of tokens (n, tokens, features) as operators of TensorFlow Lite."""

from functools import partial
from typing import List, Tuple

import numpy
from ai_edge_litert import schema_py_generated as schema

from worker.models.tflite.graph import (
    NOTHING,
    OPERATORS,
    Graph,
    Tensor,
    option,
)
from worker.models.tflite.layers import (
    NO_FUSED,
    VALID,
    ByRole,
    added,
    concatenated,
    multiplied,
    reshaped,
)
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds


def patch_tokens(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A class token and those of patches, with learnt positions."""
    size, (count, features) = layer.settings["kernel"], layer.shape
    kernel = graph.constant(weights["kernel"].transpose(0, 2, 3, 1))
    shape = (x.shape[0], x.shape[1] // size, x.shape[2] // size, features)
    options = dict(strideW=size, strideH=size, dilationWFactor=1, dilationHFactor=1, **NO_FUSED)
    tensors = [kernel, graph.constant(weights["bias"])]
    settings = option("Conv2DOptions", padding=VALID, **options)
    patches = graph.operator(OPERATORS.CONV_2D, [x, *tensors], shape, settings)
    patches = reshaped(graph, patches, (x.shape[0], count - 1, features))
    first = numpy.broadcast_to(weights["class_token"], (x.shape[0], 1, features))
    tokens = [graph.constant(first), patches]
    y = concatenated(graph, tokens, 1, (x.shape[0], count, features))
    return added(graph, y, graph.constant(weights["positions"]))


def embedding(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A row of the table for each byte, in the order of the channels-first image."""
    n, height, width, channels = x.shape
    x = transposed(graph, x, (0, 3, 1, 2)) if channels > 1 else x
    x = reshaped(graph, x, (n, height * width * channels))
    float32, int32 = schema.TensorType.FLOAT32, schema.TensorType.INT32
    options = option("CastOptions", inDataType=float32, outDataType=int32)
    numbers = graph.operator(OPERATORS.CAST, [x], x.shape, options, dtype="int32")
    table = graph.constant(weights["table"])
    settings = option("GatherOptions", axis=0, batchDims=0)
    return graph.operator(OPERATORS.GATHER, [table, numbers], (n, *layer.shape), settings)


def positions(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A learnt vector added to each token."""
    return added(graph, x, graph.constant(weights["positions"]))


def lstm(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """TensorFlow Lite's LSTM over all tokens; it takes the gates i, f, g and o one by one.

    It has neither peepholes nor a projection here.
    """
    units = layer.settings["units"]

    def of_gates(role: str) -> List[Tensor]:
        parts = numpy.split(weights[role], 4)
        return [graph.constant(part) for part in parts]

    states = [graph.state((x.shape[0], units)) for _ in ("output", "cell")]
    kernels, recurrent, biases = map(of_gates, ("kernel", "recurrent", "bias"))
    absent = {"peephole": [NOTHING] * 3, "projection": [NOTHING] * 2, "norm": [NOTHING] * 4}
    inputs = [x, *kernels, *recurrent, *absent["peephole"], *biases, *absent["projection"]]
    tanh = schema.ActivationFunctionType.TANH
    options = option(
        "UnidirectionalSequenceLSTMOptions",
        fusedActivationFunction=tanh,
        cellClip=0.0,
        projClip=0.0,
        timeMajor=False,
    )
    code = OPERATORS.UNIDIRECTIONAL_SEQUENCE_LSTM
    shape = (x.shape[0], *layer.shape)
    return graph.operator(code, [*inputs, *states, *absent["norm"]], shape, options)


def layer_norm(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Normalisation over features, by means, as there is no operator for it."""
    one = (*x.shape[:-1], 1)

    def mean(of: Tensor) -> Tensor:
        options = option("ReducerOptions", keepDims=True)
        return graph.operator(OPERATORS.MEAN, [of, graph.numbers(2)], one, options)

    middle = mean(x)
    square = graph.operator(OPERATORS.SQUARED_DIFFERENCE, [x, middle], x.shape)
    epsilon = graph.constant(numpy.array([layer.settings["epsilon"]], numpy.float32))
    factor = graph.operator(OPERATORS.RSQRT, [added(graph, mean(square), epsilon)], one)
    options = option("SubOptions", **NO_FUSED)
    centred = graph.operator(OPERATORS.SUB, [x, middle], x.shape, options)
    y = multiplied(graph, multiplied(graph, centred, factor), graph.constant(weights["scale"]))
    return added(graph, y, graph.constant(weights["shift"]))


def attention(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Two batched products and a softmax."""
    n, (tokens, features), heads = x.shape[0], layer.shape, layer.settings["heads"]
    each = features // heads
    parts = reshaped(graph, x, (n, tokens, 3, heads, each))
    parts = transposed(graph, parts, (2, 0, 3, 1, 4))
    query, key, value = (gathered(graph, parts, number, axis=0) for number in range(3))
    query = multiplied(graph, query, graph.constant(numpy.array([each**-0.5], numpy.float32)))
    options = option("BatchMatMulOptions", adjX=False, adjY=True)
    shape = (n, heads, tokens, tokens)
    scores = graph.operator(OPERATORS.BATCH_MATMUL, [query, key], shape, options)
    softmax = option("SoftmaxOptions", beta=1.0)
    shares = graph.operator(OPERATORS.SOFTMAX, [scores], scores.shape, softmax)
    options = option("BatchMatMulOptions", adjX=False, adjY=False)
    y = graph.operator(OPERATORS.BATCH_MATMUL, [shares, value], value.shape, options)
    return reshaped(graph, transposed(graph, y, (0, 2, 1, 3)), (n, tokens, features))


def token(number: int, graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """The token of that number of each image, from the end where it is negative."""
    return gathered(graph, x, number % x.shape[1], axis=1)


def gathered(graph: Graph, x: Tensor, number: int, axis: int) -> Tensor:
    """The entry of a number along an axis, without that axis."""
    options = option("GatherOptions", axis=axis, batchDims=0)
    shape = (*x.shape[:axis], *x.shape[axis + 1 :])
    return graph.operator(
        OPERATORS.GATHER, [x, graph.constant(numpy.int32(number))], shape, options
    )


def transposed(graph: Graph, x: Tensor, axes: Tuple[int, ...]) -> Tensor:
    """The axes in another order."""
    shape = tuple(x.shape[axis] for axis in axes)
    options = option("TransposeOptions")
    return graph.operator(OPERATORS.TRANSPOSE, [x, graph.numbers(*axes)], shape, options)


OF_TOKENS: Kinds = {
    "patch_tokens": patch_tokens,
    "embedding": embedding,
    "positions": positions,
    "lstm": lstm,
    "layer_norm": layer_norm,
    "attention": attention,
    "first_token": partial(token, 0),
    "last_token": partial(token, -1),
}
