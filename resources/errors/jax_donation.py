"""Show whether this release of JAX computes the same in a step whose arguments are donated.

usage: python jax_donation.py

Two matrices are trained by momentum for three steps, with and without `donate_argnums`. On a CPU
of two cores, JAX 0.7.2 and 0.8.0 end with another velocity, 0.7.1 and 0.8.2 with the same.
"""

import jax
import numpy
from jax import numpy as jnp

BATCH, STEPS = 64, 3
SHAPES = ((800, 500), (500, 10))

dice = numpy.random.default_rng(1)
INPUTS = jnp.asarray(dice.normal(size=(BATCH, SHAPES[0][0])), jnp.float32)
WEIGHTS = [dice.normal(0, 0.05, shape).astype(numpy.float32) for shape in SHAPES]


def loss(weights):
    """The mean square of two layers' output."""
    return jnp.mean((jax.nn.relu(INPUTS @ weights[0]) @ weights[1]) ** 2)


def step(weights, velocities):
    """Update by momentum."""
    gradients = jax.grad(loss)(weights)
    velocities = [0.9 * v + 0.01 * g for v, g in zip(velocities, gradients)]
    return [w - v for w, v in zip(weights, velocities)], velocities


def trained(step):
    """The velocities after all steps."""
    weights = [jnp.asarray(array) for array in WEIGHTS]
    velocities = [jnp.zeros_like(array) for array in weights]
    for _ in range(STEPS):
        weights, velocities = step(weights, velocities)
    return jax.device_get(velocities)


kept, donated = trained(jax.jit(step)), trained(jax.jit(step, donate_argnums=(0, 1)))
errors = [abs(k - d).max() / abs(k).max() for k, d in zip(kept, donated)]
print(f"JAX {jax.__version__}: velocities differ by {max(errors):.1e} of the largest")
