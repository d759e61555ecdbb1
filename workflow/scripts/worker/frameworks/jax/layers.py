"""The layers in JAX, on (n, height, width, channels), for neutral.forward."""

import itertools
import zlib
from functools import partial, reduce
from typing import Dict

import jax
from jax import lax
from jax import numpy as jnp

from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds

ByRole = Dict[str, jax.Array]
"""A layer's weights by role."""


def training(key: jax.Array) -> Kinds:
    """The layers of one training step, in which `key` decides what dropout leaves out."""
    return dict(EVALUATION, batch_norm=batch_norm_training, dropout=partial(dropout, key))


def conv(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Convolution with its bias, group by group.

    With feature_group_count, XLA takes ten times as long for the gradient on the CPU.
    """
    settings = layer.settings
    strides, margins = [settings["stride"]] * 2, [[settings["padding"]] * 2] * 2
    parts = [jnp.split(array, settings["groups"], axis=3) for array in (x, weights["kernel"])]
    outputs = [
        lax.conv_general_dilated(
            part, kernel, strides, margins, dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        for part, kernel in zip(*parts)
    ]
    y = jnp.concatenate(outputs, axis=3)
    return y + weights["bias"] if settings["bias"] else y


def max_pool(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Maximum over windows, of equal values the first; -inf pads.

    Strided slices instead of lax.reduce_window, whose gradient is ten times as slow on the CPU.
    """
    size, stride, padding = (layer.settings[name] for name in ("kernel", "stride", "padding"))
    margins = [(padding, padding + more) for more in layer.settings["overhang"]]
    x = jnp.pad(x, [(0, 0), *margins, (0, 0)], constant_values=-jnp.inf)
    _, rows, columns = layer.shape
    windows = (
        x[:, i : i + rows * stride : stride, j : j + columns * stride : stride]
        for i, j in itertools.product(range(size), repeat=2)
    )
    return reduce(lambda best, other: jnp.where(other > best, other, best), windows)


def lrn(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Local response normalisation; the power is written so that its gradient reuses it."""
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    margins = [(0, 0)] * 3 + [(size // 2, size // 2)]
    sums = lax.reduce_window(x * x, 0.0, lax.add, (1, 1, 1, size), (1, 1, 1, 1), margins)
    return x * jnp.exp(-beta * jnp.log1p(alpha / size * sums))


def dropout(key: jax.Array, layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Zeros at places that depend on the step's key and the layer's name."""
    kept = 1 - layer.settings["rate"]
    own_key = jax.random.fold_in(key, zlib.crc32(layer.name.encode()))
    return jnp.where(jax.random.bernoulli(own_key, kept, x.shape), x / kept, 0)


def dense(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Affine map of the input, flattened as the rows of the kernel are."""
    return x.reshape(len(x), -1) @ weights["kernel"] + weights["bias"]


def batch_norm(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Normalisation by the running statistics."""
    deviation = jnp.sqrt(weights["running_variance"] + layer.settings["epsilon"])
    return (x - weights["running_mean"]) * (weights["scale"] / deviation) + weights["shift"]


def batch_norm_training(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Normalisation by the batch's statistics, which move the running ones."""
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    y = batch_norm(layer, dict(weights, running_mean=mean, running_variance=variance), x)
    count, momentum = x.size // x.shape[-1], layer.settings["momentum"]
    batch = {"running_mean": mean, "running_variance": variance * count / (count - 1)}
    for role, value in batch.items():
        weights[role] = momentum * weights[role] + (1 - momentum) * value
    return y


EVALUATION: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": lambda layer, weights, x: jax.nn.relu(x),
    "max_pool": max_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: x,
    "concat": lambda layer, weights, *inputs: jnp.concatenate(inputs, axis=3),
    "global_average_pool": lambda layer, weights, x: x.mean((1, 2)),
    "dense": dense,
    "add": lambda layer, weights, x, y: x + y,
}
