"""The layers as operations of a graph of TensorFlow 1, channels last, for neutral.forward.

As those of the adapter tensorflow, by names that all releases from 1.4 on have.
"""

from functools import partial
from typing import Any

from worker.frameworks.tensorflow.all_releases import IN_ALL_RELEASES, ByRole, padded
from worker.frameworks.tensorflow1.v1 import tf
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds, lacking


def conv(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Convolution with its bias, groups one by one; a depthwise one by its own operation."""
    x, padding = padded(layer, x, 0)
    stride, groups, kernel = layer.settings["stride"], layer.settings["groups"], weights["kernel"]
    strides = (1, stride, stride, 1)
    if 1 < groups == int(x.shape[-1]):
        rows, columns, _, outputs = (int(size) for size in kernel.shape)
        kernel = tf.reshape(kernel, (rows, columns, groups, outputs // groups))
        y = tf.nn.depthwise_conv2d(x, kernel, strides, padding)
    else:
        pairs = zip(tf.split(x, groups, axis=3), tf.split(kernel, groups, axis=3))
        y = [tf.nn.conv2d(part, part_kernel, strides, padding) for part, part_kernel in pairs]
        y = y[0] if groups == 1 else tf.concat(y, axis=3)
    return tf.nn.bias_add(y, weights["bias"]) if layer.settings["bias"] else y


def lrn(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Local response normalisation over depth, whose alpha isn't divided by the size."""
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    return tf.nn.local_response_normalization(x, size // 2, bias=1, alpha=alpha / size, beta=beta)


def dense(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Affine map of the input, flattened as the rows of the kernel are."""
    flat = tf.reshape(x, (-1, int(weights["kernel"].shape[0])))
    y = tf.nn.bias_add(tf.matmul(flat, weights["kernel"]), weights["bias"])
    return tf.reshape(y, (-1, *layer.shape))


def layer_norm(layer: Layer, weights: ByRole, x: Any) -> Any:
    """Normalisation over features."""
    mean, variance = tf.nn.moments(x, axes=[2], keep_dims=True)
    shift, scale, epsilon = weights["shift"], weights["scale"], layer.settings["epsilon"]
    return tf.nn.batch_normalization(x, mean, variance, shift, scale, epsilon)


def batch_norm(layer: Layer, weights: ByRole, x: Any, training: bool = False) -> Any:
    """The fused kernel; in training it also gives the batch's statistics, unbiased."""
    statistics = [] if training else [weights["running_mean"], weights["running_variance"]]
    y, mean, variance = tf.nn.fused_batch_norm(
        x,
        weights["scale"],
        weights["shift"],
        *statistics,
        epsilon=layer.settings["epsilon"],
        is_training=training,
    )
    if training:
        momentum = layer.settings["momentum"]
        for role, batch in (("running_mean", mean), ("running_variance", variance)):
            weights[role] = momentum * weights[role] + (1 - momentum) * batch
    return y


EVALUATION: Kinds = {
    **IN_ALL_RELEASES,
    "conv": conv,
    "batch_norm": batch_norm,
    "silu": lambda layer, weights, x: x * tf.sigmoid(x),
    "lrn": lrn,
    "dense": dense,
    "layer_norm": layer_norm,
    "gelu": lambda layer, weights, x: 0.5 * x * (1 + tf.erf(x * 0.5**0.5)),
    "patch_tokens": lacking("the adapter tensorflow1 has no patches"),
    "lstm": lacking("the adapter tensorflow1 has no LSTM"),
}
TRAINING: Kinds = dict(
    EVALUATION,
    batch_norm=partial(batch_norm, training=True),
    dropout=lambda layer, weights, x: tf.nn.dropout(x, keep_prob=1 - layer.settings["rate"]),
)
