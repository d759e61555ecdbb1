"""Convolutions in JAX with their gradients, by XLA's convolution and by our adapter's ways.

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

from worker.frameworks.jax import convolutions
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


def main():
    """Print a line for each convolution."""
    convolutions.LARGE = convolutions.WIDE = 1  # or only those that our rules name were products
    for name, (count, channels, out, side, size) in CONVOLUTIONS.items():
        net = Network((channels, side, side), 2)
        layer = net.conv("conv", net.input, out, kernel=size, padding=size // 2)
        random = numpy.random.RandomState(1)
        shapes = (
            (count, side, side, channels),
            (size, size, channels, out),
            (count, side, side, out),
        )
        arrays = [jnp.asarray(random.standard_normal(shape), jnp.float32) for shape in shapes]
        steps = {key: step(partial(way, layer), *arrays) for key, way in WAYS.items()}
        print(f"{name:30}" + groups_measured.line(groups_measured.compared(steps)), flush=True)


if __name__ == "__main__":
    main()
