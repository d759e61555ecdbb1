"""The layers in JAX, on (n, height, width, channels), for neutral.forward."""

import zlib
from functools import partial, reduce
from typing import List, Tuple

import jax
from jax import lax
from jax import numpy as jnp

from worker.frameworks.jax.convolutions import ByRole, biased, conv, windows
from worker.frameworks.jax.devices import on_processors
from worker.frameworks.jax.products import by_transposed, product
from worker.frameworks.jax.releases import dot_product_attention
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds
from worker.networks.neutral.shapes import pixels_inside

LSTMState = Tuple[jax.Array, jax.Array]
"""The cell and the output of an LSTM (n, units)."""


def training(key: jax.Array) -> Kinds:
    """The layers of one training step; `key` seeds dropout."""
    return dict(EVALUATION, batch_norm=batch_norm_training, dropout=partial(dropout, key))


def max_pool(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Maximum over windows, of equal values the first; -inf pads."""
    return largest(layer, x)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def largest(layer: Layer, x: jax.Array) -> jax.Array:
    """XLA's maximum over windows; `largest_of_slices` where a gradient is needed, or in 16 bits.

    There XLA's is wrong after two convolutions: resources/errors/jax_reduce_window.py.
    """
    if x.dtype != jnp.float32:
        return largest_of_slices(layer, x)
    size, stride = layer.settings["kernel"], layer.settings["stride"]
    sizes, strides = (1, size, size, 1), (1, stride, stride, 1)
    return lax.reduce_window(x, -jnp.inf, lax.max, sizes, strides, margins_of(layer))


def largest_of_slices(layer: Layer, x: jax.Array) -> jax.Array:
    """The same by strided slices: the gradient of XLA's is ten times as slow on the CPU."""
    x = jnp.pad(x, margins_of(layer), constant_values=-jnp.inf)
    return reduce(lambda best, other: jnp.where(other > best, other, best), windows(layer, x))


largest.defvjp(
    lambda layer, x: jax.vjp(partial(largest_of_slices, layer), x),
    lambda layer, pullback, gradient: pullback(gradient),
)


def margins_of(layer: Layer) -> List[Tuple[int, int]]:
    """The pixels that a pooling layer adds before and after images on each axis."""
    padding = layer.settings["padding"]
    return [(0, 0), *((padding, padding + more) for more in layer.settings["overhang"]), (0, 0)]


def average_pool(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Mean over windows of their pixels within the image, by strided slices like the maximum."""
    if not any(layer.settings["overhang"]):
        return sum(windows(layer, x)) / layer.settings["kernel"] ** 2
    margins = [(0, more) for more in layer.settings["overhang"]]
    pixels = pixels_inside(layer.settings, layer.shape[1:])[..., None]
    return sum(windows(layer, jnp.pad(x, [(0, 0), *margins, (0, 0)]))) / pixels.astype(x.dtype)


def lrn(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Local response normalisation; the gradient reuses this form of the power."""
    size, alpha, beta = (layer.settings[name] for name in ("size", "alpha", "beta"))
    margins = [(0, 0)] * 3 + [(size // 2, size // 2)]
    sums = lax.reduce_window(x * x, 0.0, lax.add, (1, 1, 1, size), (1, 1, 1, 1), margins)
    return x * jnp.exp(-beta * jnp.log1p(alpha / size * sums))


def dropout(key: jax.Array, layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Random zeros, seeded by the step's key and the layer's name."""
    kept = 1 - layer.settings["rate"]
    own_key = jax.random.fold_in(key, zlib.crc32(layer.name.encode()))
    return jnp.where(jax.random.bernoulli(own_key, kept, x.shape), x / kept, 0)


def dense(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Affine map of each token, or of the input, flattened in the order of the kernel's rows."""
    kernel = weights["kernel"]
    y = biased(product(x.reshape(-1, len(kernel)), kernel), weights["bias"])
    return y.reshape(len(x), *layer.shape)


def patch_tokens(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """A class token and those of patches, with learnt positions."""
    strides, names = [layer.settings["kernel"]] * 2, ("NHWC", "HWIO", "NHWC")
    kernel = weights["kernel"]
    patches = lax.conv_general_dilated(x, kernel, strides, "VALID", dimension_numbers=names)
    patches = biased(patches.reshape(len(x), -1, kernel.shape[3]), weights["bias"])
    first = jnp.broadcast_to(weights["class_token"], (len(x), 1, kernel.shape[3]))
    return jnp.concatenate([first, patches], axis=1) + weights["positions"]


def embedding(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """A row of the table for each value, in the order of the channels-first image."""
    numbers = jnp.transpose(x, (0, 3, 1, 2)).astype(jnp.int32)
    return weights["table"][numbers.reshape(len(x), -1)]


def lstm(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """A scan over tokens, after one product of the kernel and all tokens."""
    start = jnp.zeros((len(x), layer.settings["units"]), x.dtype)
    _, outputs = lstm_from((start, start), weights, x)
    return outputs


def lstm_from(state: LSTMState, weights: ByRole, x: jax.Array) -> Tuple[LSTMState, jax.Array]:
    """The state after all tokens, and the outputs, from a state (cell, output) before them."""

    def step(state: LSTMState, by_input: jax.Array) -> Tuple[LSTMState, jax.Array]:
        cell, hidden = state
        i, f, g, o = jnp.split(by_input + hidden @ weights["recurrent"], 4, axis=1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
        return (cell, hidden), hidden

    by_tokens = biased(x.swapaxes(0, 1) @ weights["kernel"], weights["bias"])
    state, outputs = lax.scan(step, state, by_tokens)
    return state, outputs.swapaxes(0, 1)


def layer_norm(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Normalisation over features, in the type of its weights."""
    wide = x.astype(weights["scale"].dtype)
    normal = jax.nn.standardize(wide, axis=-1, epsilon=layer.settings["epsilon"])
    return (normal * weights["scale"] + weights["shift"]).astype(x.dtype)


def attention(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """JAX's attention, of (n, tokens, heads, features); on processors it has no float16."""
    is_missing = x.dtype == jnp.float16 and on_processors()
    parts = x.astype(jnp.float32 if is_missing else x.dtype)
    parts = parts.reshape(*x.shape[:2], 3, layer.settings["heads"], -1)
    query, key, value = jnp.moveaxis(parts, 2, 0)
    y = dot_product_attention(query, key, value, layer.settings["causal"])
    return y.reshape(len(x), *layer.shape).astype(x.dtype)


def batch_norm(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Normalisation by the running statistics, in float32."""
    deviation = jnp.sqrt(weights["running_variance"] + layer.settings["epsilon"])
    y = (x - weights["running_mean"]) * (weights["scale"] / deviation) + weights["shift"]
    return y.astype(x.dtype)


def batch_norm_training(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Normalisation by the batch's statistics, which move the running ones."""
    exact = x.astype(jnp.float32)
    mean, variance = exact.mean((0, 1, 2)), exact.var((0, 1, 2))
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
    "relu6": lambda layer, weights, x: jax.nn.relu6(x),
    "silu": lambda layer, weights, x: jax.nn.silu(x),
    "sigmoid": lambda layer, weights, x: jax.nn.sigmoid(x),
    "tanh": lambda layer, weights, x: jnp.tanh(x),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: x,
    "concat": lambda layer, weights, *inputs: jnp.concatenate(inputs, axis=-1),
    "global_average_pool": lambda layer, weights, x: x.mean((1, 2)),
    "dense": dense,
    "add": lambda layer, weights, x, y: x + y,
    "patch_tokens": patch_tokens,
    "layer_norm": layer_norm,
    "gelu": lambda layer, weights, x: jax.nn.gelu(x, approximate=False),
    "attention": attention,
    "embedding": embedding,
    "unembedding": lambda layer, weights, x: by_transposed(x, weights["table"]),
    "positions": lambda layer, weights, x: x + weights["positions"],
    "lstm": lstm,
    "first_token": lambda layer, weights, x: x[:, 0],
    "last_token": lambda layer, weights, x: x[:, -1],
    "multiply": lambda layer, weights, x, factors: x * factors[:, None, None],
}
