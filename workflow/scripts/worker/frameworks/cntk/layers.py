"""The layers as CNTK's operations on images (C, H, W) and vectors; weights in neutral layout.

Each function takes a layer, its weights by role and its inputs, and returns the output.
"""

from typing import Any, Dict, Sequence, Tuple

import cntk
import numpy

from worker.networks.neutral.builder import BATCH_NORM_ROLES, RELU6_LEAST, Layer
from worker.networks.neutral.forward import Kinds, lacking

ByRole = Dict[str, cntk.Variable]
"""A layer's weights by role."""

LOWEST = float(numpy.finfo(numpy.float32).min)


def conv(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """Convolution, by the operation, as the library's layer has no groups."""
    stride, groups = layer.settings["stride"], layer.settings["groups"]
    x, automatic = padded(layer.settings, x, 0)
    padding = (False, automatic, automatic)
    y = cntk.convolution(weights["kernel"], x, (stride,), auto_padding=padding, groups=groups)
    return y + cntk.reshape(weights["bias"], (-1, 1, 1)) if layer.settings["bias"] else y


def batch_norm(layer: Layer, weights: ByRole, x: cntk.Function, batch_size: int) -> cntk.Function:
    """Batch normalisation; running statistics move by a decay per image, for full batches.

    With a running count of 0, their first update would replace them.
    """
    time_constant = -batch_size / numpy.log(layer.settings["momentum"])
    return cntk.batch_normalization(
        x,
        *(weights[role] for role in BATCH_NORM_ROLES),
        spatial=True,
        normalization_time_constant=time_constant,
        epsilon=layer.settings["epsilon"],
        use_cudnn_engine=True,  # on a GPU, as the library's layer does
        running_count=cntk.constant(1),
    )


def max_pool(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """Maximum over windows, which may reach over the bottom and the right edge."""
    size, stride, overhang = (layer.settings[name] for name in ("kernel", "stride", "overhang"))
    x, automatic = padded(layer.settings, x, LOWEST, overhang)
    padding = (False, automatic, automatic)
    return cntk.pooling(x, cntk.MAX_POOLING, (size,) * 2, (stride,) * 2, padding, any(overhang))


def average_pool(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """Mean over windows, of their pixels within the image."""
    size, stride, overhang = (layer.settings[name] for name in ("kernel", "stride", "overhang"))
    return cntk.pooling(x, cntk.AVG_POOLING, (size,) * 2, (stride,) * 2, ceil_out_dim=any(overhang))


def padded(
    settings: Dict[str, Any], x: cntk.Function, value: float, overhang: Sequence[int] = (0, 0)
) -> Tuple[cntk.Function, bool]:
    """The input, and whether CNTK pads it.

    CNTK can where windows fit into the image and are centred on its first pixels; else the input
    gets margins of `value`.
    """
    size, padding = settings["kernel"], settings["padding"]
    is_centred = size == 2 * padding + 1 and settings["stride"] <= 2 and not any(overhang)
    if not padding or (is_centred and size <= min(x.shape[1:])):
        return x, padding > 0
    margins = [(0, 0), *((padding, padding + more) for more in overhang)]
    return cntk.pad(x, margins, constant_value=value), False


def lrn(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """Local response normalisation; CNTK divides alpha by the size, which isn't documented.

    Of fewer channels than the size, CNTK sums too few: zeros are added, which change no sum.
    """
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    channels = x.shape[0]
    if channels < size:
        x = cntk.pad(x, [(0, size - channels), (0, 0), (0, 0)])
    y = cntk.local_response_normalization(x, size // 2, 1, alpha, beta)
    return cntk.slice(y, 0, 0, channels) if channels < size else y


def global_average_pool(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """Mean over height and width, without their axes."""
    return cntk.reshape(cntk.pooling(x, cntk.AVG_POOLING, x.shape[1:]), layer.shape)


def dense(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """Affine map of the channels-first flattened input."""
    flat = cntk.reshape(x, (-1,))
    return cntk.times_transpose(flat, weights["kernel"]) + weights["bias"]


def embedding(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """A row of the table for each value, by a product as in CNTK's layer; tokens are a sequence."""
    numbers = cntk.reshape(x, (-1,))
    one_hot = cntk.one_hot(numbers, layer.settings["rows"])
    return cntk.to_sequence(cntk.times(one_hot, weights["table"]))


def lstm(layer: Layer, weights: ByRole, x: cntk.Function) -> cntk.Function:
    """A recurrence along the sequence of tokens."""

    def step(cell: cntk.Function, hidden: cntk.Function, by_input: cntk.Function) -> Any:
        gates = by_input + cntk.times_transpose(hidden, weights["recurrent"])
        i, f, g, o = (cntk.slice(gates, 0, n * units, (n + 1) * units) for n in range(4))
        cell = cntk.sigmoid(f) * cell + cntk.sigmoid(i) * cntk.tanh(g)
        return cell, cntk.sigmoid(o) * cntk.tanh(cell)

    units = layer.settings["units"]
    by_tokens = cntk.times_transpose(x, weights["kernel"]) + weights["bias"]
    steps = cntk.layers.Recurrence(cntk.Function(step), return_full_state=True)
    return steps(by_tokens).outputs[1]


# For the kinds that a transformer may begin with, so that the error has the reason.
no_transformer = lacking("CNTK has no error function, so it has no exact GELU")

KINDS: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": lambda layer, weights, x: cntk.relu(x),
    "relu6": lambda layer, weights, x: cntk.clip(x, RELU6_LEAST, 6),
    "silu": lambda layer, weights, x: x * cntk.sigmoid(x),
    "sigmoid": lambda layer, weights, x: cntk.sigmoid(x),
    "tanh": lambda layer, weights, x: cntk.tanh(x),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: cntk.dropout(x, layer.settings["rate"]),
    "concat": lambda layer, weights, *inputs: cntk.splice(*inputs, axis=0),
    "global_average_pool": global_average_pool,
    "dense": dense,
    "add": lambda layer, weights, x, y: x + y,
    "embedding": embedding,
    "lstm": lstm,
    "last_token": lambda layer, weights, x: cntk.sequence.last(x),
    "patch_tokens": no_transformer,
    "unembedding": no_transformer,
    "positions": no_transformer,
    "multiply": lambda layer, weights, x, factors: x * cntk.reshape(factors, (-1, 1, 1)),
}
