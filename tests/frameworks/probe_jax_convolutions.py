"""How far our convolutions and products are from XLA's in JAX, and their gradients, as JSON.

usage: python -I probe_jax_convolutions.py SCRIPTS SETTINGS

SETTINGS are those of convolutions, as JSON; products are of one row and of two. Printed are the
largest differences of the outputs and of both gradients, in proportion to their largest values.
"""

import json
import sys
from functools import partial

scripts, settings = sys.argv[1:]
sys.path.append(scripts)
import jax  # noqa: E402
from jax import numpy as jnp  # noqa: E402

from worker.frameworks.jax import convolutions, products  # noqa: E402
from worker.networks.neutral.builder import Network  # noqa: E402

jax.config.update("jax_platforms", "cpu")  # on GPUs XLA's own ways are used
convolutions.LARGE = convolutions.WIDE = 1  # or only gradients of megabytes would be products


def outputs_and_gradients(compute, first, second):
    """The outputs, and both gradients of a sum of random multiples of them."""
    outputs, pullback = jax.vjp(compute, first, second)
    return outputs, *pullback(random(2, outputs.shape))


def random(seed, shape):
    return jax.random.normal(jax.random.PRNGKey(seed), shape)


def differences(ways, xla, *arguments):
    """Of the outputs and of both gradients, of each way from XLA's."""
    expected = outputs_and_gradients(xla, *arguments)
    return [
        float(abs(a - b).max() / abs(b).max())
        for way in ways
        for a, b in zip(outputs_and_gradients(way, *arguments), expected, strict=True)
    ]


def of_convolutions(chosen):
    net = Network((3, 9, 9), 2)
    layer = net.conv("conv", net.input, 4, **chosen)
    ways = [partial(way, layer) for way in (convolutions.of_windows, convolutions.of_positions)]
    xla = partial(convolutions.convolved, layer)
    kernel = random(1, (chosen["kernel"], chosen["kernel"], 3, 4))
    return differences(ways, xla, random(0, (2, 9, 9, 3)), kernel)


def of_products(rows):
    product = differences([products.product], jnp.matmul, random(0, (rows, 9)), random(1, (9, 4)))
    arguments = random(0, (rows, 1, 9)), random(1, (4, 9))
    by_transposed = differences([products.by_transposed], lambda x, y: x @ y.T, *arguments)
    return product + by_transposed


print(
    json.dumps(
        {
            "convolutions": [of_convolutions(chosen) for chosen in json.loads(settings)],
            "products": [of_products(rows) for rows in (1, 2)],
        }
    )
)
