"""How far JAX's gradients by kernels as products are from those of XLA's convolutions, as JSON.

usage: python -I probe_kernel_gradients.py SCRIPTS SETTINGS

SETTINGS are those of convolutions, as JSON. Printed are the largest differences of each gradient,
of images and of kernel, beside its largest value.
"""

import json
import sys

scripts, settings = sys.argv[1:]
sys.path.append(scripts)
import jax  # noqa: E402

from worker.frameworks.jax import convolutions  # noqa: E402
from worker.networks.neutral.builder import Network  # noqa: E402

jax.config.update("jax_platforms", "cpu")  # on GPUs XLA's own ways are used
convolutions.LARGE = convolutions.WIDE = 1  # or only gradients of megabytes would be products


def difference(chosen):
    """Of both gradients of a sum of random multiples of the outputs."""
    net = Network((3, 9, 9), 2)
    layer = net.conv("conv", net.input, 4, **chosen)
    keys = jax.random.split(jax.random.PRNGKey(0), 3)
    x = jax.random.normal(keys[0], (2, 9, 9, 3))
    kernel = jax.random.normal(keys[1], (chosen["kernel"], chosen["kernel"], 3, 4))
    multiples = jax.random.normal(keys[2], convolutions.convolved(layer, x, kernel).shape)
    ours, xla = (
        jax.grad(lambda *both, c=compute: (c(layer, *both) * multiples).sum(), (0, 1))(x, kernel)
        for compute in (convolutions.of_windows, convolutions.convolved)
    )
    return [float(abs(a - b).max() / abs(b).max()) for a, b in zip(ours, xla, strict=True)]


print(json.dumps([difference(chosen) for chosen in json.loads(settings)]))
