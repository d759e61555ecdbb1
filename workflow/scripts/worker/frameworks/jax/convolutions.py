"""Convolutions in JAX, on (n, height, width, channels), in the ways that XLA computes fast."""

import itertools
from functools import partial
from typing import Callable, Dict, Iterator, Tuple

import jax
from jax import lax
from jax import numpy as jnp

from worker.frameworks.jax.devices import on_processors
from worker.networks.neutral.builder import Layer

ByRole = Dict[str, jax.Array]
"""A layer's weights by role."""
Inputs = Tuple[jax.Array, jax.Array]
"""Images and kernel."""
Way = Callable[[Layer, jax.Array, jax.Array], jax.Array]
"""A way to compute a layer's convolution of images and kernel."""
LARGE = 2**21
"""Values of a kernel, or of an output's gradient, from which products are faster."""
WIDE = 32
"""Channels of a kernel from which they are, too."""
SMALL = 16
"""Pixels of an output's channel up to which they are."""


def conv(layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """Convolution with its bias; several groups in the way that XLA computes fast on the CPU.

    With feature_group_count, forward and backward take 6 to 200 times as long as group by group,
    and depthwise ones 2 to 20 times as long as by products: benchmarks/groups.py.
    """
    is_depthwise = 1 < layer.settings["groups"] == x.shape[3]
    y = (by_products if is_depthwise else by_groups)(layer, weights["kernel"], x)
    return biased(y, weights["bias"]) if layer.settings["bias"] else y


def by_groups(layer: Layer, kernel: jax.Array, x: jax.Array) -> jax.Array:
    """A convolution for each group."""
    parts = [jnp.split(array, layer.settings["groups"], axis=3) for array in (x, kernel)]
    compute = way(layer, kernel, x)
    return jnp.concatenate([compute(layer, *part) for part in zip(*parts)], axis=3)


def way(layer: Layer, kernel: jax.Array, x: jax.Array) -> Way:
    """XLA's convolution, or on processors products of matrices where they are faster."""
    if not on_processors():
        return of_windows
    if layer.settings["kernel"] == 1:
        return of_positions
    is_slow = layer.shape[1] * layer.shape[2] <= SMALL or kernel.size >= LARGE
    # In 16 bits each of the products would be rounded.
    return of_positions if is_slow and x.dtype == jnp.float32 else of_windows


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

    XLA's is slow once the output's gradient outgrows caches: benchmarks/convolutions.py.
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


def of_positions(layer: Layer, x: jax.Array, kernel: jax.Array) -> jax.Array:
    """A convolution as a sum: for each position in the kernel, the pixels there times its weights.

    XLA's is slow at small images, large kernels and the gradient of 1x1 kernels:
    benchmarks/convolutions.py.
    """
    positions = kernel.reshape(-1, *kernel.shape[2:])
    return sum(map(jnp.matmul, windows(layer, padded(layer, x)), positions))


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
