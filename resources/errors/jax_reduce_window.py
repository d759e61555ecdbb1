"""Show whether this release of JAX pools what two convolutions compute in bfloat16.

usage: python jax_reduce_window.py

The maximum over windows of two by two is computed as one program with the convolutions before it,
and apart from them. On an AMD EPYC with AVX-512, JAX 0.12.0.1 gives infinities and NaN in the one
program.
"""

import jax
import numpy
from jax import lax
from jax import numpy as jnp

CHANNELS = (3, 64, 64)
LAYOUTS = ("NHWC", "HWIO", "NHWC")

dice = numpy.random.default_rng(1)
IMAGES = jnp.asarray(dice.normal(size=(1, 224, 224, 3)), jnp.bfloat16)
BIAS = jnp.full(64, 0.1)
KERNELS = [
    jnp.asarray(dice.normal(0, 0.1, (3, 3, *shape)), jnp.float32)
    for shape in zip(CHANNELS, CHANNELS[1:])
]


def convolved(images, kernels):
    """Two convolutions, each with a bias, which is added in float32, and a ReLU."""
    for kernel in kernels:
        narrow = kernel.astype(jnp.bfloat16)
        images = lax.conv_general_dilated(
            images, narrow, (1, 1), "SAME", dimension_numbers=LAYOUTS
        )
        images = (images.astype(jnp.float32) + BIAS).astype(jnp.bfloat16)
        images = jax.nn.relu(images)
    return images


def pooled(images):
    """The maximum over windows of two by two."""
    window = (1, 2, 2, 1)
    return lax.reduce_window(images, -jnp.inf, lax.max, window, window, "VALID")


together = jax.jit(lambda images, kernels: pooled(convolved(images, kernels)))(IMAGES, KERNELS)
apart = jax.jit(pooled)(jax.jit(convolved)(IMAGES, KERNELS))
wrong = int((~(together <= 2 * apart.max())).sum())
print(f"JAX {jax.__version__}: {wrong:,} of {apart.size:,} values are no number or too large")
