"""Convolutions in JAX, on (n, height, width, channels), in the ways that XLA computes fast."""

import itertools
from functools import partial
from typing import Dict, Iterator, Tuple

import jax
from jax import lax
from jax import numpy as jnp

from worker.frameworks.jax.devices import on_processors
from worker.networks.neutral.builder import Layer

ByRole = Dict[str, jax.Array]
"""A layer's weights by role."""
Inputs = Tuple[jax.Array, jax.Array]
"""Images and kernel."""
LARGE, WIDE = 2**21, 32
"""Values of an output's gradient, and channels of a kernel, from which products are faster."""


def conv(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Convolution with its bias; several groups in the way that XLA computes fast on the CPU.

    With feature_group_count, forward and backward take 6 to 200 times as long as group by group,
    and depthwise ones 2 to 20 times as long as by products: benchmarks/groups.py.
    """
    is_depthwise = 1 < layer.settings["groups"] == x.shape[3]
    y = (by_products if is_depthwise else by_groups)(layer, weights["kernel"], x)
    return biased(y, weights["bias"]) if layer.settings["bias"] else y


def by_groups(layer: Layer, kernel: jax.Array, x: jax.Array) -> jax.Array:
    """A convolution for each group; on processors one of 1x1 is a product of matrices."""
    is_of_pixels = layer.settings["kernel"] == 1 and not layer.settings["padding"]
    compute = of_pixels if is_of_pixels and on_processors() else of_windows
    parts = [jnp.split(array, layer.settings["groups"], axis=3) for array in (x, kernel)]
    return jnp.concatenate([compute(layer, *part) for part in zip(*parts)], axis=3)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def of_windows(layer: Layer, x: jax.Array, kernel: jax.Array) -> jax.Array:
    """XLA's convolution, with a gradient by the kernel that is fast on the CPU."""
    return convolved(layer, x, kernel)


def convolved(layer: Layer, x: jax.Array, kernel: jax.Array) -> jax.Array:
    """XLA's convolution."""
    strides, margins = [layer.settings["stride"]] * 2, [[layer.settings["padding"]] * 2] * 2
    layouts = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, strides, margins, dimension_numbers=layouts)


def _forward(layer: Layer, x: jax.Array, kernel: jax.Array) -> Tuple[jax.Array, Inputs]:
    return convolved(layer, x, kernel), (x, kernel)


def _backward(layer: Layer, inputs: Inputs, gradient: jax.Array) -> Inputs:
    """XLA's gradients; on processors that by a large kernel is made of products.

    XLA's is slow once the output's gradient outgrows caches: benchmarks/kernel_gradients.py.
    """
    x, kernel = inputs
    _, pullback = jax.vjp(partial(convolved, layer), x, kernel)
    by_x, by_kernel = pullback(gradient)
    is_large = gradient.size >= LARGE and min(kernel.shape[2:]) >= WIDE
    if is_large and on_processors():
        by_kernel = kernel_gradient(layer, padded(layer, x), gradient)
    return by_x, by_kernel


of_windows.defvjp(_forward, _backward)


def kernel_gradient(layer: Layer, x: jax.Array, gradient: jax.Array) -> jax.Array:
    """The gradient by the kernel: for each of its positions, a product over all pixels."""
    products = [jnp.einsum("nhwi,nhwo->io", part, gradient) for part in windows(layer, x)]
    size = layer.settings["kernel"]
    return jnp.stack(products).reshape(size, size, *products[0].shape)


def of_pixels(layer: Layer, x: jax.Array, kernel: jax.Array) -> jax.Array:
    """A 1x1 convolution: each pixel's channels times the kernel.

    XLA's convolution is slow at the gradient by the kernel: benchmarks/kernel_gradients.py.
    """
    stride = layer.settings["stride"]
    return x[:, ::stride, ::stride] @ kernel[0, 0]


def by_products(layer: Layer, kernel: jax.Array, x: jax.Array) -> jax.Array:
    """A depthwise convolution: the sum over the kernel's positions of pixels times weight."""
    x = padded(layer, jnp.repeat(x, layer.shape[0] // x.shape[3], axis=3))  # each output's input
    positions = kernel.reshape(layer.settings["kernel"] ** 2, -1)
    return sum(map(jnp.multiply, windows(layer, x), positions))


def padded(layer: Layer, x: jax.Array) -> jax.Array:
    """Images with a convolution's margins of 0."""
    margin = (layer.settings["padding"],) * 2
    return jnp.pad(x, [(0, 0), margin, margin, (0, 0)])


def biased(y: jax.Array, bias: jax.Array) -> jax.Array:
    """Add a bias to each pixel or token, in float32: its gradient's sum is too long for 16 bits.

    XLA makes it one loop, narrow or not.
    """
    exact = y.astype(jnp.float32) + bias.astype(jnp.float32)
    return exact.astype(y.dtype)


def windows(layer: Layer, x: jax.Array) -> Iterator[jax.Array]:
    """Yield, for each position in a window, the pixels of padded images there, in all windows."""
    size, stride = layer.settings["kernel"], layer.settings["stride"]
    _, rows, columns = layer.shape
    for i, j in itertools.product(range(size), repeat=2):
        yield x[:, i : i + rows * stride : stride, j : j + columns * stride : stride]
