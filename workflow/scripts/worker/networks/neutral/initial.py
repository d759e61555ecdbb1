"""Initial values of weights: their kinds, as numpy draws them.

RandomState's stream is frozen across numpy's versions.
"""

from typing import Callable, Dict, NamedTuple

import numpy

from worker.arrays import Shape

CUT = 2  # a truncated normal is drawn again beyond so many deviations


class Initial(NamedTuple):
    """Initial values: the name of one of the functions below, and its argument."""

    kind: str
    size: float


def constant(value: float) -> Initial:
    """One value everywhere."""
    return Initial("constant", value)


def normal(deviation: float) -> Initial:
    """Normally distributed values of that standard deviation."""
    return Initial("normal", deviation)


def truncated_normal(deviation: float) -> Initial:
    """Normally distributed values, drawn again beyond two deviations, as in TensorFlow."""
    return Initial("truncated_normal", deviation)


def uniform(limit: float) -> Initial:
    """Uniformly distributed values between -limit and limit."""
    return Initial("uniform", limit)


def scaled_normal(gain: float) -> Initial:
    """Normally distributed values of variance gain / fan-in: with a gain of 2, He et al. 2015."""
    return Initial("scaled_normal", gain)


def draw(initial: Initial, shape: Shape, generator: numpy.random.RandomState) -> numpy.ndarray:
    """A float32 array of such values; the fan-in of a kernel (out, ...) is the product of (...)."""
    return DRAW[initial.kind](initial.size, shape, generator).astype(numpy.float32)


def _normal(deviation: float, shape: Shape, generator: numpy.random.RandomState) -> numpy.ndarray:
    drawn: numpy.ndarray = deviation * generator.standard_normal(shape)
    return drawn


def _truncated_normal(
    deviation: float, shape: Shape, generator: numpy.random.RandomState
) -> numpy.ndarray:
    drawn = generator.standard_normal(shape)
    beyond = numpy.abs(drawn) > CUT
    while beyond.any():
        drawn[beyond] = generator.standard_normal(int(beyond.sum()))
        beyond = numpy.abs(drawn) > CUT
    return deviation * drawn


def _scaled_normal(gain: float, shape: Shape, generator: numpy.random.RandomState) -> numpy.ndarray:
    return _normal(numpy.sqrt(gain / numpy.prod(shape[1:])), shape, generator)


DRAW: Dict[str, Callable[[float, Shape, numpy.random.RandomState], numpy.ndarray]] = {
    "constant": lambda value, shape, generator: numpy.full(shape, value),
    "normal": _normal,
    "truncated_normal": _truncated_normal,
    "uniform": lambda limit, shape, generator: generator.uniform(-limit, limit, shape),
    "scaled_normal": _scaled_normal,
}
