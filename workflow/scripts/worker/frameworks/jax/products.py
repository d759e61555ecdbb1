"""Products of matrices in JAX, in the ways that XLA computes fast."""

from typing import Tuple

import jax

from worker.frameworks.jax.devices import on_processors

Inputs = Tuple[jax.Array, jax.Array]
"""Rows (n, features) and kernel (features, units)."""


@jax.custom_vjp
def product(rows: jax.Array, kernel: jax.Array) -> jax.Array:
    """Rows times a kernel, (n, units), with a gradient by a single row that is fast on the CPU."""
    return rows @ kernel


def _forward(rows: jax.Array, kernel: jax.Array) -> Tuple[jax.Array, Inputs]:
    return rows @ kernel, (rows, kernel)


def _backward(inputs: Inputs, gradient: jax.Array) -> Inputs:
    rows, kernel = inputs
    return by_transposed(gradient, kernel), rows.T @ gradient


product.defvjp(_forward, _backward)


def by_transposed(rows: jax.Array, matrix: jax.Array) -> jax.Array:
    """Rows (…, features) times a transposed matrix (units, features): (…, units).

    On processors a single row is a column, since XLA's product of a row and a transposed matrix is
    slow: benchmarks/convolutions.py.
    """
    if rows.size > matrix.shape[1] or not on_processors():
        return rows @ matrix.T
    return (matrix @ rows.reshape(-1)).reshape(*rows.shape[:-1], len(matrix))
