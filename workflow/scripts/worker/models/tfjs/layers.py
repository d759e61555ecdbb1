"""The layers of images as operators of TensorFlow.js, for neutral.forward.

Images are (n, height, width, channels), so kernels are (height, width, in, out), and of a dense
layer (in, out) over the channels-last flattened image.
"""

from typing import Any, Dict, List, Tuple

import numpy

from worker.models.tfjs.graph import Graph, Tensor
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds
from worker.networks.neutral.shapes import pixels_inside

ByRole = Dict[str, numpy.ndarray]
"""A layer's weights by role, in neutral layout."""

LOWEST = float(numpy.finfo(numpy.float32).min)
CHANNELS = 3  # the axis
FUSED = dict(fused_ops=["BiasAdd"], num_args=1)
"""The attributes of an operator that adds a bias to its products."""


def conv(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Convolution with its bias; group by group, unless each group is one channel."""
    kernel, settings = weights["kernel"], layer.settings
    bias = weights.get("bias", numpy.zeros(len(kernel), numpy.float32))
    groups = settings["groups"]
    if groups == x.shape[-1] > 1:
        kernel = kernel.reshape(groups, -1, *kernel.shape[2:])
        return convolved(graph, "FusedDepthwiseConv2dNative", settings, kernel, bias, x)
    if groups == 1:
        return convolved(graph, "_FusedConv2D", settings, kernel, bias, x)
    parts = zip(numpy.split(kernel, groups), numpy.split(bias, groups), split(graph, x, groups))
    outputs = [convolved(graph, "_FusedConv2D", settings, *part) for part in parts]
    return concatenated(graph, outputs, CHANNELS, shape_of(layer))


def convolved(
    graph: Graph,
    operator: str,
    settings: Dict[str, Any],
    kernel: numpy.ndarray,
    bias: numpy.ndarray,
    x: Tensor,
) -> Tensor:
    """One convolution: kernel (out, in, height, width), depthwise (in, multiple, height, width)."""
    size, stride, margin = settings["kernel"], settings["stride"], settings.get("padding", 0)
    axes = (2, 3, 1, 0) if operator == "_FusedConv2D" else (2, 3, 0, 1)
    attributes: Dict[str, Any] = dict(FUSED, strides=[1, stride, stride, 1], dilations=[1] * 4)
    attributes.update(data_format="NHWC", padding="VALID")
    if margin:
        attributes.update(padding="EXPLICIT", explicit_paddings=[0, 0, *[margin] * 4, 0, 0])
    tensors = [graph.constant(kernel.transpose(axes)), graph.constant(bias)]
    sides = [(side + 2 * margin - size) // stride + 1 for side in x.shape[:2]]
    return graph.operator(operator, [x, *tensors], (*sides, len(bias)), **attributes)


def batch_norm(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A factor and a summand for each channel, of a batch norm that couldn't be folded."""
    deviation = numpy.sqrt(weights["running_variance"] + layer.settings["epsilon"])
    factor = weights["scale"] / deviation
    y = multiplied(graph, x, graph.constant(factor))
    return added(graph, y, graph.constant(weights["shift"] - weights["running_mean"] * factor))


def silu(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """The product of x and its sigmoid."""
    return multiplied(graph, x, graph.operator("Sigmoid", [x], x.shape))


def gelu(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """The exact one, by the error function."""
    half, one, root = (graph.constant(numpy.float32(n)) for n in (0.5, 1, 0.5**0.5))
    share = added(graph, graph.operator("Erf", [multiplied(graph, x, root)], x.shape), one)
    return multiplied(graph, multiplied(graph, x, half), share)


def max_pool(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Maximum over windows; padding never wins."""
    return pooled(graph, "MaxPool", layer, padded(graph, layer, x, LOWEST))


def average_pool(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Mean over windows, of their pixels within the image."""
    y = pooled(graph, "AvgPool", layer, padded(graph, layer, x, 0.0))
    if not any(layer.settings["overhang"]):
        return y
    pixels = pixels_inside(layer.settings, layer.shape[1:])[..., None]
    factors = (layer.settings["kernel"] ** 2 / pixels).astype(numpy.float32)
    return multiplied(graph, y, graph.constant(factors))


def pooled(graph: Graph, operator: str, layer: Layer, x: Tensor) -> Tensor:
    """A pooling of either kind."""
    kernel, stride = layer.settings["kernel"], layer.settings["stride"]
    window = dict(ksize=[1, kernel, kernel, 1], strides=[1, stride, stride, 1])
    shape = shape_of(layer)
    return graph.operator(operator, [x], shape, padding="VALID", data_format="NHWC", **window)


def padded(graph: Graph, layer: Layer, x: Tensor, value: float) -> Tensor:
    """The input, with margins of a value where windows reach over the edge."""
    padding, overhang = layer.settings.get("padding", 0), layer.settings["overhang"]
    margins = [(padding, padding + more) for more in overhang]
    if not any(map(any, margins)):
        return x
    widths = graph.constant(numpy.array([(0, 0), *margins, (0, 0)], numpy.int32))
    filled = graph.constant(numpy.float32(value))
    sides = [side + sum(margin) for side, margin in zip(x.shape, margins)]
    return graph.operator("PadV2", [x, widths, filled], (*sides, x.shape[-1]))


def lrn(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Local response normalisation over depth, whose alpha isn't divided by the size."""
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    settings = dict(depth_radius=size // 2, bias=1.0, alpha=alpha / size, beta=beta)
    return graph.operator("LRN", [x], x.shape, **settings)


def concat(graph: Graph, layer: Layer, weights: ByRole, *inputs: Tensor) -> Tensor:
    """Concatenation of channels, or of vectors."""
    return concatenated(graph, inputs, len(layer.shape), shape_of(layer))


def global_average_pool(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Mean over height and width, without their axes."""
    return graph.operator("Mean", [x, graph.numbers(1, 2)], layer.shape, keep_dims=False)


def dense(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Affine map of each token, or of the input, flattened as it lies in memory."""
    kernel, bias = weights["kernel"], graph.constant(weights["bias"])
    if len(x.shape) == 2:
        y = graph.operator("BatchMatMulV2", [x, graph.constant(kernel.T)], layer.shape)
        return added(graph, y, bias)
    if len(x.shape) == 3:
        height, width, channels = x.shape
        kernel = kernel.reshape(-1, channels, height, width).transpose(0, 2, 3, 1)
        kernel = kernel.reshape(len(kernel), -1)
        x = reshaped(graph, x, kernel.shape[1:])
    tensors = [graph.constant(kernel.T), bias]
    attributes = dict(FUSED, transpose_a=False, transpose_b=False)
    return graph.operator("_FusedMatMul", [x, *tensors], layer.shape, **attributes)


def multiply(graph: Graph, layer: Layer, weights: ByRole, x: Tensor, factors: Tensor) -> Tensor:
    """Images times a factor per channel."""
    return multiplied(graph, x, reshaped(graph, factors, (1, 1, x.shape[-1])))


def add(graph: Graph, layer: Layer, weights: ByRole, x: Tensor, y: Tensor) -> Tensor:
    """Element-wise sum."""
    return added(graph, x, y)


def multiplied(graph: Graph, x: Tensor, y: Tensor) -> Tensor:
    """The product; y has at most the axes of x."""
    return graph.operator("Mul", [x, y], x.shape)


def added(graph: Graph, x: Tensor, y: Tensor) -> Tensor:
    """The sum; y has at most the axes of x."""
    return graph.operator("AddV2", [x, y], x.shape)


def concatenated(graph: Graph, inputs: Any, axis: int, shape: Tuple[int, ...]) -> Tensor:
    """Tensors one after the other."""
    return graph.operator("ConcatV2", [*inputs, graph.number(axis)], shape, N=len(inputs))


def split(graph: Graph, x: Tensor, count: int) -> List[Tensor]:
    """`count` equal parts along the last axis."""
    shape = (*x.shape[:-1], x.shape[-1] // count)
    parts = graph.operator("Split", [graph.number(len(x.shape)), x], shape, num_split=count)
    return [Tensor(f"{parts.name}:{number}", shape) for number in range(count)]


def reshaped(graph: Graph, x: Tensor, shape: Tuple[int, ...]) -> Tensor:
    """The values of each image in another shape."""
    return graph.operator("Reshape", [x, graph.numbers(-1, *shape)], shape)


def shape_of(layer: Layer) -> Tuple[int, ...]:
    """The shape of a layer's output, channels last."""
    shape = layer.shape
    return (*shape[1:], shape[0]) if len(shape) == 3 else shape


def activation(operator: str) -> Any:
    """A layer that is an operator of one input, without weights or attributes."""

    def added_to(graph: Graph, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
        return graph.operator(operator, [x], x.shape)

    return added_to


OF_IMAGES: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": activation("Relu"),
    "relu6": activation("Relu6"),
    "silu": silu,
    "sigmoid": activation("Sigmoid"),
    "tanh": activation("Tanh"),
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
