"""A grouped convolution in JAX, forward and backward, in the ways that there are."""

import operator
import os
from functools import reduce

import groups_measured

os.environ["PJRT_NPROC"] = str(groups_measured.THREADS)

import jax
import numpy
from jax import lax
from jax import numpy as jnp


def grouped(x, kernel, stride, groups):
    size = kernel.shape[0]
    return lax.conv_general_dilated(
        x,
        kernel,
        (stride, stride),
        [(size // 2, size // 2)] * 2,
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=groups,
    )


def split(x, kernel, stride, groups):
    parts = zip(jnp.split(x, groups, 3), jnp.split(kernel, groups, 3))
    return jnp.concatenate([grouped(*part, stride, 1) for part in parts], 3)


def products(x, kernel, stride, groups):
    size, side = kernel.shape[0], x.shape[1]
    margin = (size // 2, size // 2)
    x = jnp.pad(x, [(0, 0), margin, margin, (0, 0)])
    ends = [start + side for start in range(size)]
    parts = (
        x[:, i : ends[i] : stride, j : ends[j] : stride] * kernel[i, j, 0]
        for i in range(size)
        for j in range(size)
    )
    return reduce(operator.add, parts)


def step(way, stride, groups, x, kernel):
    """A function that gives the gradients by image and kernel of the sum of squares."""

    def loss(x, kernel):
        return (way(x, kernel, stride, groups) ** 2).sum()

    gradients = jax.jit(jax.grad(loss, (0, 1)))
    x, kernel = jnp.asarray(x), jnp.asarray(kernel)
    return lambda: [numpy.asarray(each) for each in gradients(x, kernel)]


if __name__ == "__main__":
    groups_measured.measure(step, {"split": split, "operator": grouped}, {"products": products})
