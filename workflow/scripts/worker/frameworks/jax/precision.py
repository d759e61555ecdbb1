"""Precisions in JAX: layers cast float32 weights and their inputs, like Flax's `dtype`.

In prediction the weights themselves may be cast, once.
"""

from typing import Any, Callable, Dict, List, Set

import jax
import numpy
from jax import numpy as jnp
from jax.tree_util import tree_map

from worker import networks, precisions
from worker.frameworks.jax.releases import jaxprs_in_params
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import Kinds, narrow

PRODUCTS = ("conv_general_dilated", "dot_general")
OF_FLOAT32 = {"tf32": "tensorfloat32"}


class Precision:
    """Casts and loss scaling for the job's precision."""

    def __init__(self, job: Job, options: Dict[str, Any]) -> None:
        of_float32 = OF_FLOAT32.get(job.precision, "float32")
        jax.config.update("jax_default_matmul_precision", of_float32)
        self.type = jnp.dtype(job.precision if job.precision in precisions.HALF else "float32")
        is_cast = job.stage in precisions.PREDICTING and options["inference_weights"] == "cast"
        self.stored = self.type if is_cast else jnp.dtype("float32")
        reads_numbers = networks.reads_text(job.network)  # a narrow type lacks some of them
        self.images = jnp.dtype("float32") if reads_numbers else self.stored
        self.loss_scale = precisions.loss_scale(job.precision)

    def kinds(self, kinds: Kinds) -> Kinds:
        """The layers in the job's type."""
        if self.type == jnp.float32:
            return kinds
        return narrow(kinds, lambda x: x.astype(self.type))

    def cast(self, network: Network, arrays: Dict[str, numpy.ndarray]) -> Dict[str, numpy.ndarray]:
        """The weights in the type in which they are stored."""
        products = {w.name for w in network.weights if w.role in precisions.CAST_ROLES}
        return {
            name: array.astype(self.stored) if name in products else array
            for name, array in arrays.items()
        }

    def pixels(self, images: numpy.ndarray) -> numpy.ndarray:
        """Images in the network's type; stored pixels are cast when they are normalised."""
        return images.astype(self.images) if images.dtype == numpy.float32 else images

    def gradient_of(self, loss: Callable[..., Any]) -> Callable[..., Any]:
        """The function of ((loss, more), gradients); the loss of narrow types is scaled inside."""
        if self.loss_scale == 1:
            return jax.value_and_grad(loss, has_aux=True)

        def scaled(*arguments: Any) -> Any:
            value, more = loss(*arguments)
            return self.loss_scale * value, (value, more)

        def unscaled(*arguments: Any) -> Any:
            (_, result), gradients = jax.value_and_grad(scaled, has_aux=True)(*arguments)
            return result, tree_map(lambda gradient: gradient / self.loss_scale, gradients)

        return unscaled


def types_of_products(jaxpr: Any) -> List[str]:
    """The input types of all convolutions and products in traced code and its callees, sorted.

    Outputs may be wider: JAX's attention sums products of a narrow type in float32.
    """
    types: Set[str] = set()
    waiting = [jaxpr.jaxpr]
    while waiting:
        for equation in waiting.pop().eqns:
            if equation.primitive.name in PRODUCTS:
                types.add(str(equation.invars[0].aval.dtype))
            waiting += jaxprs_in_params(equation.params)
    return sorted(types)
