"""Convolutions and products in JAX with their gradients, by XLA and by our adapter's ways.

usage: python convolutions_jax.py THREADS SCRIPTS
"""

import os
import sys
from functools import partial

import groups_measured

os.environ["PJRT_NPROC"] = str(groups_measured.THREADS)
sys.path.append(sys.argv[2])

import jax
import numpy
from jax import numpy as jnp

from worker.frameworks.jax import convolutions, products
from worker.networks.neutral.builder import Network

# Images, channels in and out, pixels a side, kernel.
CONVOLUTIONS = {
    "resnet-50, narrow to wide": (8, 64, 256, 56, 1),
    "resnet-50, wide to narrow": (8, 1024, 256, 14, 1),
    "resnet-20, stage 1": (32, 16, 16, 32, 3),
    "resnet-50, stage 1": (8, 64, 64, 56, 3),
    "resnet-50, stage 3": (8, 256, 256, 14, 3),
    "vgg-16, block 1": (1, 64, 64, 224, 3),
    "vgg-16, block 2": (8, 64, 128, 112, 3),
    "vgg-16, block 4": (8, 256, 512, 28, 3),
    "vgg-16, block 5": (8, 512, 512, 14, 3),
    "vgg-16 of 32 pixels, block 4": (64, 512, 512, 4, 3),
    "vgg-16 of 32 pixels, block 5": (64, 512, 512, 2, 3),
}

# Rows, features and units.
PRODUCTS = {
    "vgg-16, first dense layer": (1, 25088, 4096),
    "vgg-16, first dense layer of 8": (8, 25088, 4096),
}

WAYS = {
    "convolution": convolutions.convolved,
    "gradient": convolutions.of_windows,
    "products": convolutions.of_positions,
}


def step(way, x, kernel, multiples):
    """A function that gives the gradients by images and kernel of a sum of multiples."""

    def loss(x, kernel):
        return (way(x, kernel) * multiples).sum()

    gradients = jax.jit(jax.grad(loss, (0, 1)))
    return lambda: [numpy.asarray(each) for each in gradients(x, kernel)]


def compare(name, ways, shapes):
    """Print a line of some ways, on random inputs, kernels and multiples of these shapes."""
    random = numpy.random.RandomState(1)
    arrays = [jnp.asarray(random.standard_normal(shape), jnp.float32) for shape in shapes]
    steps = {key: step(way, *arrays) for key, way in ways.items()}
    print(f"{name:30}" + groups_measured.line(groups_measured.compared(steps)), flush=True)


def main():
    """Print a line for each convolution and product."""
    convolutions.LARGE = convolutions.WIDE = 1  # or only those that our rules name were products
    for name, (count, channels, out, side, size) in CONVOLUTIONS.items():
        net = Network((channels, side, side), 2)
        layer = net.conv("conv", net.input, out, kernel=size, padding=size // 2)
        shapes = (
            (count, side, side, channels),
            (size, size, channels, out),
            (count, side, side, out),
        )
        compare(name, {key: partial(way, layer) for key, way in WAYS.items()}, shapes)
    for name, (count, features, units) in PRODUCTS.items():
        shapes = ((count, features), (features, units), (count, units))
        compare(name, {"product": jnp.matmul, "gradient": products.product}, shapes)


if __name__ == "__main__":
    main()
