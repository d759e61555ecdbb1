"""The rounded reference: the numpy adapter with the rounding of a narrow type.

Weights, sums, statistics and the loss stay float64; values between layers, forward and backward,
are rounded to the narrow type. So all errors against the float64 reference come from that type.
worker.proof.tolerances derives limits from these errors.
"""

import functools
from typing import Callable, Dict, List, Sequence, Tuple, Type

import numpy

from worker.arrays import Weights
from worker.frameworks.numpy import adapter
from worker.frameworks.numpy.layers import ByRole, Gradients, Inputs, Passes
from worker.job import Job
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.layer import PRODUCT_ROLES
from worker.precisions import CAST_ROLES, loss_scale


class Mixed(adapter.Adapter):
    """Mixed precision: each layer's inputs and outputs, forward and backward, are rounded."""

    def __init__(self, job: Job) -> None:
        super().__init__(job._replace(precision="float64"))
        self.round = ROUND[job.precision]
        self.loss_scale = loss_scale(job.precision)

    def _passes(self, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
        if layer.kind != "embedding":  # the numbers that it reads stay as they are
            inputs = self._all(inputs)
        y, backward = super()._passes(layer, inputs, self._cast(weights), training)

        def rounded(gradient: numpy.ndarray) -> Gradients:
            of_inputs, of_weights = backward(self.round(gradient))
            return self._all(of_inputs), self._cast(of_weights)

        return self.round(y), rounded

    def _all(self, arrays: Sequence[numpy.ndarray]) -> List[numpy.ndarray]:
        return [self.round(array) for array in arrays]

    def _cast(self, weights: ByRole) -> ByRole:
        cast = {role: self.round(weights[role]) for role in CAST_ROLES if role in weights}
        return dict(weights, **cast)

    def _backward(
        self, gradient: numpy.ndarray, backwards: adapter.Backwards
    ) -> Tuple[numpy.ndarray, Weights]:
        images, gradients = super()._backward(self.loss_scale * gradient, backwards)
        unscaled = {name: value / self.loss_scale for name, value in gradients.items()}
        return images / self.loss_scale, unscaled


class Products(adapter.Adapter):
    """TF32: only the factors of products are rounded, as tensor cores round float32."""

    def __init__(self, job: Job) -> None:
        super().__init__(job._replace(precision="float64"))
        self.round = ROUND[job.precision]

    def _passes(self, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
        roles = ("table",) if layer.kind == "unembedding" else PRODUCT_ROLES
        factors = {role: self.round(weights[role]) for role in roles if role in weights}
        if not factors:
            return super()._passes(layer, inputs, weights, training)
        weights = dict(weights, **factors)
        rounded = [self.round(x) for x in inputs]
        y, backward = super()._passes(layer, rounded, weights, training)
        return y, lambda gradient: backward(self.round(gradient))


def to_float16(x: numpy.ndarray) -> numpy.ndarray:
    """Round to the nearest float16; returns float64."""
    with numpy.errstate(over="ignore"):  # too large a number becomes infinite
        return numpy.asarray(x).astype(numpy.float16).astype(numpy.float64)


def to_fewer_bits(dropped: int, x: numpy.ndarray) -> numpy.ndarray:
    """Round to a float32 whose last `dropped` bits are 0, ties to even; returns float64."""
    bits = numpy.array(x, numpy.float32, order="C").view(numpy.uint32)
    bits += (bits >> dropped) % 2 + (2 ** (dropped - 1) - 1)
    bits &= 2**32 - 2**dropped
    return bits.view(numpy.float32).astype(numpy.float64)


ROUND: Dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "float16": to_float16,
    "bfloat16": functools.partial(to_fewer_bits, 16),
    "tf32": functools.partial(to_fewer_bits, 13),
}

ADAPTERS: Dict[str, Type[adapter.Adapter]] = {"float16": Mixed, "bfloat16": Mixed, "tf32": Products}
"""The rounded reference's adapter by precision."""
