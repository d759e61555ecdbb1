"""The layers of images as operators of TensorFlow Lite, for neutral.forward.

Images are (n, height, width, channels), so kernels are (out, height, width, in), and of a dense
layer (out, in) over the channels-last flattened image.
"""

from typing import Any, Dict, List, Tuple

import numpy

from worker.models.tflite.graph import NO_ACTIVATION, OPERATORS, Graph, Tensor, option
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds
from worker.networks.neutral.shapes import pixels_inside, same_margins

ByRole = Dict[str, numpy.ndarray]
"""A layer's weights by role, in neutral layout."""

SAME, VALID = 0, 1
LOWEST = float(numpy.finfo(numpy.float32).min)
NO_FUSED = dict(fusedActivationFunction=NO_ACTIVATION)
CHANNELS = 3  # the axis


def conv(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Convolution with its bias, in groups; depthwise by its own operator."""
    x, padding = padded(graph, layer, x, 0)
    kernel, settings = weights["kernel"], layer.settings
    bias = weights.get("bias", numpy.zeros(len(kernel), numpy.float32))
    options: Dict[str, Any] = dict(
        padding=padding, dilationWFactor=1, dilationHFactor=1, **NO_FUSED
    )
    options.update(strideW=settings["stride"], strideH=settings["stride"])
    if settings["groups"] == x.shape[CHANNELS] > 1:
        code, name, axes = OPERATORS.DEPTHWISE_CONV_2D, "DepthwiseConv2DOptions", (1, 2, 3, 0)
        options["depthMultiplier"] = len(kernel) // settings["groups"]
    else:
        code, name, axes = OPERATORS.CONV_2D, "Conv2DOptions", (0, 2, 3, 1)
    tensors = [graph.constant(kernel.transpose(axes)), graph.constant(bias)]
    return graph.operator(code, [x, *tensors], shape_of(layer, x), option(name, **options))


def batch_norm(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A factor and a summand for each channel, of a batch norm that couldn't be folded."""
    deviation = numpy.sqrt(weights["running_variance"] + layer.settings["epsilon"])
    factor = weights["scale"] / deviation
    y = multiplied(graph, x, graph.constant(factor))
    return added(graph, y, graph.constant(weights["shift"] - weights["running_mean"] * factor))


def silu(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """The product of x and its sigmoid."""
    return multiplied(graph, x, graph.operator(OPERATORS.LOGISTIC, [x], x.shape))


def gelu(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """The exact one."""
    options = option("GeluOptions", approximate=False)
    return graph.operator(OPERATORS.GELU, [x], x.shape, options)


def max_pool(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Maximum over windows; padding never wins."""
    return pooled(graph, OPERATORS.MAX_POOL_2D, layer, *padded(graph, layer, x, LOWEST))


def average_pool(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Mean over windows, which counts no padding where TensorFlow Lite itself pads."""
    x, padding = padded(graph, layer, x, 0)
    y = pooled(graph, OPERATORS.AVERAGE_POOL_2D, layer, x, padding)
    if padding == SAME or not any(layer.settings["overhang"]):
        return y
    pixels = pixels_inside(layer.settings, layer.shape[1:])[..., None]
    factors = (layer.settings["kernel"] ** 2 / pixels).astype(numpy.float32)
    return multiplied(graph, y, graph.constant(factors))


def pooled(graph: Graph, code: int, layer: Layer, x: Tensor, padding: int) -> Tensor:
    """A pooling of either kind."""
    kernel, stride = layer.settings["kernel"], layer.settings["stride"]
    window = dict(filterWidth=kernel, filterHeight=kernel, strideW=stride, strideH=stride)
    options = option("Pool2DOptions", padding=padding, **window, **NO_FUSED)
    return graph.operator(code, [x], shape_of(layer, x), options)


def padded(graph: Graph, layer: Layer, x: Tensor, value: float) -> Tuple[Tensor, int]:
    """The input and an operator's padding; the input has margins where no such padding fits."""
    settings = {"padding": 0, "overhang": (0, 0), **layer.settings}
    margins = [(settings["padding"], settings["padding"] + more) for more in settings["overhang"]]
    if margins == [same_margins(settings, size) for size in x.shape[1:3]]:
        return x, SAME
    if not any(map(any, margins)):
        return x, VALID
    shape = (x.shape[0], *(n + sum(m) for n, m in zip(x.shape[1:3], margins)), x.shape[3])
    widths = graph.constant(numpy.array([(0, 0), *margins, (0, 0)], numpy.int32))
    if value:
        filled = graph.constant(numpy.float32(value))
        options = option("PadV2Options")
        return graph.operator(OPERATORS.PADV2, [x, widths, filled], shape, options), VALID
    return graph.operator(OPERATORS.PAD, [x, widths], shape, option("PadOptions")), VALID


def lrn(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Local response normalisation over depth, whose alpha isn't divided by the size."""
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    options = dict(radius=size // 2, bias=1.0, alpha=alpha / size, beta=beta)
    code = OPERATORS.LOCAL_RESPONSE_NORMALIZATION
    return graph.operator(
        code, [x], x.shape, option("LocalResponseNormalizationOptions", **options)
    )


def concat(graph: Graph, layer: Layer, weights: ByRole, *inputs: Tensor) -> Tensor:
    """Concatenation of channels, or of vectors."""
    return concatenated(graph, inputs, len(layer.shape), shape_of(layer, inputs[0]))


def global_average_pool(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Mean over height and width, without their axes."""
    options = option("ReducerOptions", keepDims=False)
    return graph.operator(OPERATORS.MEAN, [x, graph.numbers(1, 2)], shape_of(layer, x), options)


def dense(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Affine map of each token, or of the input, flattened as it lies in memory."""
    kernel = weights["kernel"]
    if len(x.shape) == 4:
        height, width, channels = x.shape[1:]
        kernel = kernel.reshape(-1, channels, height, width).transpose(0, 2, 3, 1)
        kernel = kernel.reshape(len(kernel), -1)
        x = reshaped(graph, x, (x.shape[0], kernel.shape[1]))
    tensors = [graph.constant(kernel), graph.constant(weights["bias"])]
    options = dict(weightsFormat=0, keepNumDims=len(x.shape) == 3, **NO_FUSED)
    shape = (*x.shape[:-1], len(kernel))
    settings = option("FullyConnectedOptions", **options)
    return graph.operator(OPERATORS.FULLY_CONNECTED, [x, *tensors], shape, settings)


def multiply(graph: Graph, layer: Layer, weights: ByRole, x: Tensor, factors: Tensor) -> Tensor:
    """Images times a factor per channel."""
    return multiplied(graph, x, reshaped(graph, factors, (x.shape[0], 1, 1, x.shape[3])))


def add(graph: Graph, layer: Layer, weights: ByRole, x: Tensor, y: Tensor) -> Tensor:
    """Element-wise sum."""
    return added(graph, x, y)


def multiplied(graph: Graph, x: Tensor, y: Tensor) -> Tensor:
    """The product; y has at most the axes of x."""
    return graph.operator(OPERATORS.MUL, [x, y], x.shape, option("MulOptions", **NO_FUSED))


def added(graph: Graph, x: Tensor, y: Tensor) -> Tensor:
    """The sum; y has at most the axes of x."""
    return graph.operator(OPERATORS.ADD, [x, y], x.shape, option("AddOptions", **NO_FUSED))


def concatenated(graph: Graph, inputs: Any, axis: int, shape: Tuple[int, ...]) -> Tensor:
    """Tensors one after the other."""
    options = option("ConcatenationOptions", axis=axis, **NO_FUSED)
    return graph.operator(OPERATORS.CONCATENATION, inputs, shape, options)


def reshaped(graph: Graph, x: Tensor, shape: Tuple[int, ...]) -> Tensor:
    """The values in another shape."""
    sizes: List[int] = [int(size) for size in shape]
    options = option("ReshapeOptions", newShape=sizes)
    return graph.operator(OPERATORS.RESHAPE, [x, graph.numbers(*sizes)], shape, options)


def shape_of(layer: Layer, x: Tensor) -> Tuple[int, ...]:
    """The shape of a layer's output, of as many images as its input has, channels last."""
    shape = layer.shape
    return (x.shape[0], *((*shape[1:], shape[0]) if len(shape) == 3 else shape))


def activation(code: int) -> Any:
    """A layer that is an operator of one input, without weights or options."""

    def added_to(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
        return graph.operator(code, [x], x.shape)

    return added_to


OF_IMAGES: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": activation(OPERATORS.RELU),
    "relu6": activation(OPERATORS.RELU6),
    "silu": silu,
    "sigmoid": activation(OPERATORS.LOGISTIC),
    "tanh": activation(OPERATORS.TANH),
    "gelu": gelu,
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "concat": concat,
    "global_average_pool": global_average_pool,
    "dense": dense,
    "add": add,
    "multiply": multiply,
}
