"""The layers in TensorFlow: functions of channels-last tensors, for neutral.forward.

Biases are added by +, as in Keras 3. The gradient of tf.nn.bias_add is no faster, and in bfloat16
it sums in bfloat16: over 16,384 rows TensorFlow 2.21 is off by half on a processor.
"""

import math
from functools import partial
from typing import Any

import tensorflow as tf

from worker.frameworks.tensorflow import releases
from worker.frameworks.tensorflow.all_releases import IN_ALL_RELEASES, ByRole, padded
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds, lacking


def conv(layer: Layer, weights: ByRole, x: tf.Tensor, split: float = 2) -> tf.Tensor:
    """Convolution with its bias; up to `split` groups are computed one by one.

    On the CPU, two groups are then as fast or somewhat faster, 32 half as fast as by TensorFlow's
    grouped operator. A depthwise convolution is fastest by its own operator: benchmarks/groups.py.
    """
    x, padding = padded(layer, x, 0)
    stride, groups, kernel = layer.settings["stride"], layer.settings["groups"], weights["kernel"]
    if 1 < groups == x.shape[-1]:
        strides = (1, stride, stride, 1)
        kernel = tf.reshape(kernel, (*kernel.shape[:2], groups, -1))
        y = tf.nn.depthwise_conv2d(x, kernel, strides, padding)
    elif 1 < groups <= split:
        pairs = zip(tf.split(x, groups, axis=-1), tf.split(kernel, groups, axis=-1))
        y = tf.concat([tf.nn.conv2d(*pair, stride, padding) for pair in pairs], axis=-1)
    else:
        y = tf.nn.conv2d(x, kernel, stride, padding)
    return y + weights["bias"] if layer.settings["bias"] else y


def lrn(layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
    """Local response normalisation over depth, whose alpha isn't divided by the size.

    It is in float32, the only type that TensorFlow has on processors.
    """
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    exact, settings = tf.cast(x, tf.float32), dict(bias=1, alpha=alpha / size, beta=beta)
    return tf.cast(tf.nn.local_response_normalization(exact, size // 2, **settings), x.dtype)


def dense(layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
    """Affine map of each token, or of the input, flattened in the order of the kernel's rows."""
    flat = tf.reshape(x, (-1, weights["kernel"].shape[0]))
    y = tf.matmul(flat, weights["kernel"]) + weights["bias"]
    return tf.reshape(y, (-1, *layer.shape))


def patch_tokens(layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
    """A class token and those of patches, with learnt positions."""
    patches = tf.nn.conv2d(x, weights["kernel"], layer.settings["kernel"], "VALID")
    count, features = layer.shape
    patches = tf.reshape(patches, (-1, count - 1, features)) + weights["bias"]
    first = tf.broadcast_to(weights["class_token"], (tf.shape(x)[0], 1, features))
    return tf.concat([first, patches], axis=1) + weights["positions"]


def lstm(layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
    """TensorFlow's operator for all tokens, from a state of 0."""
    start = tf.zeros((tf.shape(x)[0], layer.settings["units"]))
    outputs = block_lstm(layer, weights, x, start, start).h
    return tf.cast(tf.transpose(outputs, (1, 0, 2)), x.dtype)


def block_lstm(layer: Layer, weights: ByRole, x: tf.Tensor, cell: Any, output: Any) -> Any:
    """TensorFlow's operator for all tokens, (tokens, n, features), with gates in its own order.

    cell, output: the state (n, units) before the tokens. BlockLSTMV2 has the gates in our order,
    but its gradient assumes the old one. It is in float32, as on processors TensorFlow has no other
    type but float16.
    """
    kernel = tf.concat([weights["kernel"], weights["recurrent"]], axis=0)
    no_peephole = tf.zeros(layer.settings["units"])
    return tf.raw_ops.BlockLSTM(
        seq_len_max=layer.shape[0],
        x=tf.cast(tf.transpose(x, (1, 0, 2)), tf.float32),
        cs_prev=cell,
        h_prev=output,
        w=in_igfo(tf.cast(kernel, tf.float32)),
        wci=no_peephole,
        wcf=no_peephole,
        wco=no_peephole,
        b=in_igfo(tf.cast(weights["bias"], tf.float32)),
        forget_bias=0.0,
        cell_clip=0.0,
    )


def in_igfo(array: tf.Tensor) -> tf.Tensor:
    """The gates' columns i, f, g and o in the order of TensorFlow's operator."""
    i, f, g, o = tf.split(array, 4, axis=-1)
    return tf.concat([i, g, f, o], axis=-1)


def layer_norm(layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
    """Normalisation over features, like Keras's layer on the CPU, in the weights' type."""
    wide = tf.cast(x, weights["scale"].dtype)
    mean, variance = tf.nn.moments(wide, axes=[-1], keepdims=True)
    shift, scale, epsilon = weights["shift"], weights["scale"], layer.settings["epsilon"]
    y = tf.nn.batch_normalization(wide, mean, variance, shift, scale, epsilon)
    return tf.cast(y, x.dtype)


def batch_norm(layer: Layer, weights: ByRole, x: tf.Tensor, training: bool = False) -> tf.Tensor:
    """The fused kernel; in training it also returns the new running statistics, unbiased."""
    mean, variance = weights["running_mean"], weights["running_variance"]
    momentum = layer.settings["momentum"]
    moves = {"exponential_avg_factor": 1 - momentum} if releases.MOVES_STATISTICS else {}
    takes_statistics = releases.MOVES_STATISTICS or not training
    y, new_mean, new_variance, *_ = tf.raw_ops.FusedBatchNormV3(
        x=x,
        scale=weights["scale"],
        offset=weights["shift"],
        mean=mean if takes_statistics else [],
        variance=variance if takes_statistics else [],
        epsilon=layer.settings["epsilon"],
        is_training=training,
        **moves,
    )
    if training and not releases.MOVES_STATISTICS:
        new_mean = momentum * mean + (1 - momentum) * new_mean
        new_variance = momentum * variance + (1 - momentum) * new_variance
    if training:
        mean.assign(new_mean)
        variance.assign(new_variance)
    return y


EVALUATION: Kinds = {
    **IN_ALL_RELEASES,
    "conv": conv,
    "batch_norm": batch_norm,
    "silu": lambda layer, weights, x: releases.silu(x),
    "lrn": lrn,
    "dense": dense,
    "patch_tokens": patch_tokens,
    "layer_norm": layer_norm,
    "gelu": lambda layer, weights, x: releases.gelu(x),
    "lstm": lstm,
}
TRAINING: Kinds = dict(
    EVALUATION,
    batch_norm=partial(batch_norm, training=True),
    dropout=lambda layer, weights, x: tf.nn.dropout(x, layer.settings["rate"]),
)


def compiled(kinds: Kinds) -> Kinds:
    """The kinds for XLA, whose own gradient of several groups takes 6 to 200 times as long."""
    no_lstm = lacking("XLA can't compile BlockLSTM, TensorFlow's operator for an LSTM")
    return dict(kinds, conv=partial(conv, split=math.inf), lstm=no_lstm)
