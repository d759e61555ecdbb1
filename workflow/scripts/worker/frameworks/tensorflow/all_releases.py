"""The layers in TensorFlow that are the same in all releases, in graphs of TensorFlow 1 too."""

from typing import Any, Dict, Tuple

import numpy
import tensorflow as tf

from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds
from worker.networks.neutral.shapes import pixels_inside, same_margins

ByRole = Dict[str, Any]
"""A layer's weights by role."""


def padded(layer: Layer, x: Any, value: float) -> Tuple[Any, str]:
    """The input and a padding by name; explicit paddings take twice as long, without oneDNN."""
    settings = {"padding": 0, "overhang": (0, 0), **layer.settings}
    padding, overhang = settings["padding"], settings["overhang"]
    margins = [(padding, padding + more) for more in overhang]
    if margins == [same_margins(settings, int(size)) for size in x.shape[1:3]]:
        return x, "SAME"
    if padding or any(overhang):
        x = tf.pad(x, [(0, 0), *margins, (0, 0)], constant_values=value)
    return x, "VALID"


def max_pool(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Maximum over windows."""
    x, padding = padded(layer, x, x.dtype.min)
    return tf.nn.max_pool(x, *window(layer), padding)


def average_pool(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Mean over windows, which counts no padding where TensorFlow itself pads."""
    x, padding = padded(layer, x, 0)
    y = tf.nn.avg_pool(x, *window(layer), padding)
    if padding == "SAME" or not any(layer.settings["overhang"]):
        return y
    pixels = pixels_inside(layer.settings, layer.shape[1:])[..., None]
    return y * tf.constant(layer.settings["kernel"] ** 2 / pixels, y.dtype)


def window(layer: Layer) -> Tuple[Any, Any]:
    """Kernel and stride of a pooling."""
    kernel, stride = layer.settings["kernel"], layer.settings["stride"]
    return (1, kernel, kernel, 1), (1, stride, stride, 1)


def embedding(layer: Layer, weights: ByRole, x: Any) -> Any:
    """A row of the table for each value, in the order of the channels-first image."""
    numbers = tf.cast(tf.transpose(x, (0, 3, 1, 2)), tf.int32)
    return tf.gather(weights["table"], tf.reshape(numbers, (-1, layer.shape[0])))


def unembedding(layer: Layer, weights: ByRole, x: Any) -> Any:
    """The products of each token and all rows of the table."""
    flat = tf.reshape(x, (-1, int(weights["table"].shape[1])))
    return tf.reshape(tf.matmul(flat, weights["table"], transpose_b=True), (-1, *layer.shape))


def attention(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Two batched products and a softmax."""
    (tokens, features), heads = layer.shape, layer.settings["heads"]
    parts = tf.reshape(x, (-1, tokens, 3, heads, features // heads))
    query, key, value = tf.unstack(tf.transpose(parts, (2, 0, 3, 1, 4)))
    scale = (features // heads) ** -0.5
    scores = tf.matmul(query * scale, key, transpose_b=True)
    if layer.settings["causal"]:
        scores += tf.constant(numpy.where(numpy.tri(tokens), 0, -numpy.inf), scores.dtype)
    shares = tf.nn.softmax(scores)
    y = tf.transpose(tf.matmul(shares, value), (0, 2, 1, 3))
    return tf.reshape(y, (-1, tokens, features))


IN_ALL_RELEASES: Kinds = {
    "relu": lambda layer, weights, x: tf.nn.relu(x),
    "relu6": lambda layer, weights, x: tf.nn.relu6(x),
    "sigmoid": lambda layer, weights, x: tf.sigmoid(x),
    "tanh": lambda layer, weights, x: tf.tanh(x),
    "dropout": lambda layer, weights, x: x,
    "concat": lambda layer, weights, *inputs: tf.concat(inputs, axis=-1),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "global_average_pool": lambda layer, weights, x: tf.reduce_mean(x, axis=(1, 2)),
    "add": lambda layer, weights, x, y: x + y,
    "attention": attention,
    "embedding": embedding,
    "unembedding": unembedding,
    "positions": lambda layer, weights, x: x + weights["positions"],
    "first_token": lambda layer, weights, x: x[:, 0],
    "last_token": lambda layer, weights, x: x[:, -1],
    "multiply": lambda layer, weights, x, factors: x * factors[:, None, None],
}
