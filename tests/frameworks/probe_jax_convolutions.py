"""How far JAX's convolutions by products are from those of XLA, and their gradients, as JSON.

usage: python -I probe_jax_convolutions.py SCRIPTS SETTINGS

SETTINGS are those of convolutions, as JSON. Printed are the largest differences of the outputs and
of the gradients by images and kernel, in proportion to their largest values.
"""

import json
import sys
from functools import partial

scripts, settings = sys.argv[1:]
sys.path.append(scripts)
import jax  # noqa: E402

from worker.frameworks.jax import convolutions  # noqa: E402
from worker.networks.neutral.builder import Network  # noqa: E402

jax.config.update("jax_platforms", "cpu")  # on GPUs XLA's own ways are used
convolutions.LARGE = convolutions.WIDE = 1  # or only gradients of megabytes would be products


def differences(chosen):
    """Of the outputs and of both gradients of a sum of random multiples, of each way."""
    net = Network((3, 9, 9), 2)
    layer = net.conv("conv", net.input, 4, **chosen)
    keys = jax.random.split(jax.random.PRNGKey(0), 3)
    x = jax.random.normal(keys[0], (2, 9, 9, 3))
    kernel = jax.random.normal(keys[1], (chosen["kernel"], chosen["kernel"], 3, 4))
    multiples = jax.random.normal(keys[2], convolutions.convolved(layer, x, kernel).shape)

    def arrays(compute):
        outputs, pullback = jax.vjp(partial(compute, layer), x, kernel)
        return outputs, *pullback(multiples)

    xla = arrays(convolutions.convolved)
    return [
        float(abs(a - b).max() / abs(b).max())
        for compute in (convolutions.of_windows, convolutions.of_positions)
        for a, b in zip(arrays(compute), xla, strict=True)
    ]


print(json.dumps([differences(chosen) for chosen in json.loads(settings)]))
