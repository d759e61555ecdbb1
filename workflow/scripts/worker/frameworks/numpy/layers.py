"""The reference's layers in numpy, forward and backward.

Each function takes a layer's settings, its inputs (n, ...) and its weights in neutral layout. It
returns the output and the backward pass: a function from the output's gradient to the gradients of
the inputs and of the weights by role. Layers compute in the arrays' own number type.
"""

from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy

from worker.frameworks.numpy.windows import fold, pad, unfold
from worker.networks.neutral.shapes import pixels_inside

Settings = Dict[str, Any]
Inputs = List[numpy.ndarray]
ByRole = Dict[str, numpy.ndarray]
Gradients = Tuple[Sequence[numpy.ndarray], ByRole]
"""Gradients of the inputs, in their order, and of the weights by role."""

Backward = Callable[[numpy.ndarray], Gradients]
Passes = Tuple[numpy.ndarray, Backward]
"""The output of the forward pass, and the backward pass."""


def conv(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Cross-correlation: a matrix product with the unfolded windows, for each image and group.

    The backward pass unfolds the windows again: to store them would take too much memory.
    """
    (x,) = inputs
    kernel, stride, padding = settings["kernel"], settings["stride"], settings["padding"]
    groups = settings["groups"]
    matrix = weights["kernel"].reshape(groups, settings["channels"] // groups, -1)

    def windows() -> Tuple[numpy.ndarray, Tuple[int, int]]:
        columns, positions = unfold(pad(x, padding, 0), kernel, stride)
        return columns.reshape(len(x), groups, matrix.shape[2], -1), positions

    columns, positions = windows()
    y = (matrix @ columns).reshape(len(x), -1, *positions)
    if settings["bias"]:
        y += _spread(weights["bias"])

    def backward(gradient: numpy.ndarray) -> Gradients:
        flat = gradient.reshape(len(x), groups, matrix.shape[1], -1)
        kernel_gradient = (flat @ windows()[0].swapaxes(2, 3)).sum(axis=0)
        roles = {"kernel": kernel_gradient.reshape(weights["kernel"].shape)}
        if settings["bias"]:
            roles["bias"] = gradient.sum(axis=(0, 2, 3))
        unfolded = matrix.swapaxes(1, 2) @ flat
        unfolded = unfolded.reshape(len(x), x.shape[1], kernel, kernel, *positions)
        return (fold(unfolded, x.shape, stride, padding),), roles

    return y, backward


def batch_norm(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Normalisation by the batch's statistics in training, by running statistics in evaluation."""
    (x,) = inputs
    axes = (0, 2, 3)
    if training:
        mean, variance = batch_statistics(x)
    else:
        mean, variance = weights["running_mean"], weights["running_variance"]
    deviation = numpy.sqrt(variance + settings["epsilon"])
    normal = (x - _spread(mean)) / _spread(deviation)

    def backward(gradient: numpy.ndarray) -> Gradients:
        shift = gradient.sum(axis=axes)
        scale = (gradient * normal).sum(axis=axes)
        roles = {"scale": scale, "shift": shift}
        if training:  # then the statistics depend on x
            count = gradient.size // len(shift)
            gradient = gradient - _spread(shift / count) - normal * _spread(scale / count)
        return (gradient * _spread(weights["scale"] / deviation),), roles

    return normal * _spread(weights["scale"]) + _spread(weights["shift"]), backward


def batch_statistics(x: numpy.ndarray) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Mean and population variance per channel of an (n, C, H, W) array."""
    return x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))


def relu(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """max(x, 0); the gradient at 0 is 0."""
    (x,) = inputs
    return numpy.maximum(x, 0), lambda gradient: ((gradient * (x > 0),), {})


def relu6(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """min(max(x, 0), 6); the gradient at 0 and at 6 is 0."""
    (x,) = inputs
    return x.clip(0, 6), lambda gradient: ((gradient * ((x > 0) & (x < 6)),), {})


def sigmoid(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """1 / (1 + exp(-x)), computed by tanh, because exp can overflow."""
    (x,) = inputs
    y = 0.5 + 0.5 * numpy.tanh(0.5 * x)
    return y, lambda gradient: ((gradient * y * (1 - y),), {})


def tanh(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The hyperbolic tangent."""
    y = numpy.tanh(inputs[0])
    return y, lambda gradient: ((gradient * (1 - y * y),), {})


def silu(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The product x * sigmoid(x)."""
    (x,) = inputs
    gate, _ = sigmoid(settings, inputs, weights, training)
    return x * gate, lambda gradient: ((gradient * gate * (1 + x * (1 - gate)),), {})


def max_pool(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Maximum over windows; of equal maxima, the first gets the gradient."""
    kernel, stride, padding = settings["kernel"], settings["stride"], settings["padding"]
    (x,) = inputs
    columns, positions = unfold(pad(x, padding, -numpy.inf, settings["overhang"]), kernel, stride)
    columns = columns.reshape(len(x), x.shape[1], kernel * kernel, -1)
    winner = columns.argmax(axis=2)[:, :, None]
    y = numpy.take_along_axis(columns, winner, axis=2)

    def backward(gradient: numpy.ndarray) -> Gradients:
        windows = numpy.zeros((*columns.shape[:3], y.shape[3]), x.dtype)
        numpy.put_along_axis(windows, winner, gradient.reshape(y.shape), axis=2)
        windows = windows.reshape(len(x), x.shape[1], kernel, kernel, *positions)
        return (fold(windows, x.shape, stride, padding, settings["overhang"]),), {}

    return y.reshape(len(x), -1, *positions), backward


def average_pool(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Mean of the pixels of each window that are within the image."""
    kernel, stride, overhang = (settings[name] for name in ("kernel", "stride", "overhang"))
    (x,) = inputs
    columns, positions = unfold(pad(x, 0, 0, overhang), kernel, stride)
    columns = columns.reshape(len(x), x.shape[1], kernel * kernel, *positions)
    pixels = pixels_inside(settings, positions).astype(x.dtype)

    def backward(gradient: numpy.ndarray) -> Gradients:
        shares = (gradient / pixels)[:, :, None, None]
        windows = numpy.broadcast_to(shares, (*x.shape[:2], kernel, kernel, *positions))
        return (fold(windows, x.shape, stride, 0, overhang),), {}

    return columns.sum(axis=2) / pixels, backward


def lrn(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Division by a power of the sum of squares over neighbouring channels."""
    (x,) = inputs
    size, beta = settings["size"], settings["beta"]
    strength = settings["alpha"] / size
    base = 1 + strength * _over_channels(x * x, size)
    y = x * base**-beta

    def backward(gradient: numpy.ndarray) -> Gradients:
        shared = _over_channels(gradient * y / base, size)
        return (gradient * base**-beta - 2 * strength * beta * x * shared,), {}

    return y, backward


def dropout(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Zeros at random positions, drawn from numpy's global generator, in training only."""
    (x,) = inputs
    if not training:
        return x, lambda gradient: ((gradient,), {})
    kept = numpy.random.random_sample(x.shape) >= settings["rate"]
    factor = (kept / (1 - settings["rate"])).astype(x.dtype)
    return x * factor, lambda gradient: ((gradient * factor,), {})


def concat(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The inputs' channels, one input after the other."""
    ends = numpy.cumsum([x.shape[1] for x in inputs])[:-1]
    y = numpy.concatenate(inputs, axis=1)
    return y, lambda gradient: (numpy.split(gradient, ends, axis=1), {})


def global_average_pool(
    settings: Settings, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """Mean over height and width."""
    (x,) = inputs
    area = x.shape[2] * x.shape[3]

    def backward(gradient: numpy.ndarray) -> Gradients:
        return (numpy.broadcast_to(gradient[:, :, None, None] / area, x.shape),), {}

    return x.mean(axis=(2, 3)), backward


def dense(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Affine map of each token (n, tokens, features), or of the whole input, flattened CHW."""
    (x,) = inputs
    kernel = weights["kernel"]
    flat = x.reshape(-1, kernel.shape[1])
    y = flat @ kernel.T + weights["bias"]

    def backward(gradient: numpy.ndarray) -> Gradients:
        rows = gradient.reshape(y.shape)
        roles = {"kernel": rows.T @ flat, "bias": rows.sum(axis=0)}
        return ((rows @ kernel).reshape(x.shape),), roles

    return y.reshape(*x.shape[:2], -1) if x.ndim == 3 else y, backward


def add(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Element-wise sum."""
    return inputs[0] + inputs[1], lambda gradient: ((gradient, gradient), {})


def multiply(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Images times a factor per channel."""
    x, factors = inputs[0], inputs[1][:, :, None, None]

    def backward(gradient: numpy.ndarray) -> Gradients:
        return (gradient * factors, (gradient * x).sum(axis=(2, 3))), {}

    return x * factors, backward


def cross_entropy(logits: numpy.ndarray, labels: numpy.ndarray) -> Tuple[float, numpy.ndarray]:
    """The mean cross entropy of all labels after softmax, and its gradient by the logits."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_probabilities = shifted - numpy.log(numpy.exp(shifted).sum(axis=-1, keepdims=True))
    is_label = labels[..., None] == numpy.arange(logits.shape[-1])
    gradient = (numpy.exp(log_probabilities) - is_label) / labels.size
    return -log_probabilities[is_label].mean(), gradient.astype(logits.dtype)


def _spread(vector: numpy.ndarray) -> numpy.ndarray:
    return vector[:, None, None]


def _over_channels(x: numpy.ndarray, size: int) -> numpy.ndarray:
    """Sum over `size` neighbouring channels of (n, C, H, W)."""
    reach = size // 2
    sums = numpy.cumsum(numpy.pad(x, ((0, 0), (reach + 1, reach), (0, 0), (0, 0))), axis=1)
    return sums[:, size:] - sums[:, :-size]
