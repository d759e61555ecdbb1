"""The layers in numpy, forward and backward: what the reference is computed with.

Each function takes a layer's settings, its inputs (n, ...) and its weights in neutral layout, and
returns the output and a function from the output's gradient to (gradients of the inputs, gradients
of the weights by role). The number type is that of the arrays.
"""

import numpy
from numpy.lib.stride_tricks import as_strided


def conv(settings, inputs, weights, training):
    """Cross-correlation as one matrix product per image over unfolded windows."""
    kernel, stride, padding = settings["kernel"], settings["stride"], settings["padding"]
    (x,) = inputs
    columns, positions = _unfold(_pad(x, padding, 0), kernel, stride)
    matrix = weights["kernel"].reshape(settings["channels"], -1)
    y = matrix @ columns
    if settings["bias"]:
        y += weights["bias"][:, None]

    def backward(gradient):
        flat = gradient.reshape(y.shape)
        roles = {"kernel": _outer(flat, columns).reshape(weights["kernel"].shape)}
        if settings["bias"]:
            roles["bias"] = flat.sum(axis=(0, 2))
        windows = (matrix.T @ flat).reshape(len(x), x.shape[1], kernel, kernel, *positions)
        return (_fold(windows, x, kernel, stride, padding),), roles

    return y.reshape(len(x), -1, *positions), backward


def batch_norm(settings, inputs, weights, training):
    """Normalisation by the batch's statistics in training, by the running ones in evaluation."""
    (x,) = inputs
    axes = (0, 2, 3)
    if training:
        mean, variance = x.mean(axis=axes), x.var(axis=axes)
    else:
        mean, variance = weights["running_mean"], weights["running_variance"]
    deviation = numpy.sqrt(variance + settings["epsilon"])
    normal = (x - _spread(mean)) / _spread(deviation)

    def backward(gradient):
        shift = gradient.sum(axis=axes)
        scale = (gradient * normal).sum(axis=axes)
        count = gradient.size // len(shift)
        centred = gradient - _spread(shift / count) - normal * _spread(scale / count)
        return (centred * _spread(weights["scale"] / deviation),), {"scale": scale, "shift": shift}

    return normal * _spread(weights["scale"]) + _spread(weights["shift"]), backward


def batch_statistics(x):
    """Mean and population variance per channel of an (n, C, H, W) array."""
    return x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))


def relu(settings, inputs, weights, training):
    """max(x, 0); the gradient at 0 is 0."""
    (x,) = inputs
    return numpy.maximum(x, 0), lambda gradient: ((gradient * (x > 0),), {})


def max_pool(settings, inputs, weights, training):
    """Maximum over windows; of equal maxima the first takes the gradient."""
    kernel, stride, padding = settings["kernel"], settings["stride"], settings["padding"]
    (x,) = inputs
    columns, positions = _unfold(_pad(x, padding, -numpy.inf), kernel, stride)
    columns = columns.reshape(len(x), x.shape[1], kernel * kernel, -1)
    winner = columns.argmax(axis=2)[:, :, None]
    y = numpy.take_along_axis(columns, winner, axis=2)

    def backward(gradient):
        windows = numpy.zeros_like(columns)
        numpy.put_along_axis(windows, winner, gradient.reshape(y.shape), axis=2)
        windows = windows.reshape(len(x), x.shape[1], kernel, kernel, *positions)
        return (_fold(windows, x, kernel, stride, padding),), {}

    return y.reshape(len(x), -1, *positions), backward


def global_average_pool(settings, inputs, weights, training):
    """Mean over height and width."""
    (x,) = inputs
    area = x.shape[2] * x.shape[3]

    def backward(gradient):
        return (numpy.broadcast_to(gradient[:, :, None, None] / area, x.shape),), {}

    return x.mean(axis=(2, 3)), backward


def dense(settings, inputs, weights, training):
    """Affine map of the channels-first flattened input."""
    (x,) = inputs
    flat = x.reshape(len(x), -1)

    def backward(gradient):
        roles = {"kernel": gradient.T @ flat, "bias": gradient.sum(axis=0)}
        return ((gradient @ weights["kernel"]).reshape(x.shape),), roles

    return flat @ weights["kernel"].T + weights["bias"], backward


def add(settings, inputs, weights, training):
    """Element-wise sum."""
    return inputs[0] + inputs[1], lambda gradient: ((gradient, gradient), {})


def cross_entropy(logits, labels):
    """The mean over the batch of softmax cross entropy, and its gradient by the logits."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probabilities = shifted - numpy.log(numpy.exp(shifted).sum(axis=1, keepdims=True))
    rows = numpy.arange(len(labels))
    gradient = numpy.exp(log_probabilities)
    gradient[rows, labels] -= 1
    return -log_probabilities[rows, labels].mean(), gradient / len(labels)


def _spread(vector):
    return vector[:, None, None]


def _pad(x, padding, value):
    margins = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    return numpy.pad(x, margins, mode="constant", constant_values=value) if padding else x


def _unfold(x, kernel, stride):
    """Windows of (n, C, H, W) as (n, C * kernel * kernel, positions) and (height, width)."""
    height, width = ((size - kernel) // stride + 1 for size in x.shape[2:])
    n, c, row, column = x.strides
    windows = as_strided(
        x,
        (*x.shape[:2], kernel, kernel, height, width),
        (n, c, row, column, row * stride, column * stride),
        writeable=False,
    )
    return windows.reshape(len(x), -1, height * width), (height, width)


def _fold(windows, x, kernel, stride, padding):
    """The adjoint of _unfold: add up the windows' values where they lie in x."""
    padded = numpy.zeros_like(_pad(x, padding, 0))
    height, width = windows.shape[4:]
    for i in range(kernel):
        for j in range(kernel):
            rows = slice(i, i + stride * height, stride)
            columns = slice(j, j + stride * width, stride)
            padded[:, :, rows, columns] += windows[:, :, i, j]
    if not padding:
        return padded
    return padded[:, :, padding:-padding, padding:-padding]


def _outer(gradient, columns):
    """Sum over images of gradient (n, out, p) times columns (n, in, p) transposed."""
    return numpy.tensordot(gradient, columns, axes=((0, 2), (0, 2)))
