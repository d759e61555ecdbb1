"""The weights of a network: the initial ones, and the file of the trained ones."""

import zlib
from typing import Any, Dict

import numpy

from worker.arrays import Weights
from worker.networks.neutral.builder import Network, Weight
from worker.networks.neutral.layer import DRAWN_ROLES

TRAINED = "weights.npz"


def initial(network: Network, seed: int) -> Weights:
    """Map each weight's name to a float32 array in neutral layout.

    Kernels are drawn from the normal distribution with standard deviation sqrt(gain / fan_in), each
    from a generator of its own, seeded by its name, so that a layer keeps its weights when others
    come or go. RandomState's stream is frozen across numpy's versions.
    """
    return {weight.name: _array(weight, seed) for weight in network.weights}


def save(arrays: Weights) -> None:
    """Keep weights in the working folder's TRAINED: an .npz (numpy.savez) with their names."""
    named: Dict[str, Any] = dict(arrays)  # old numpy has no argument but arrays
    numpy.savez(TRAINED, **named)


def _array(weight: Weight, seed: int) -> numpy.ndarray:
    if weight.role not in DRAWN_ROLES:
        return numpy.full(weight.shape, weight.initial, numpy.float32)
    generator = numpy.random.RandomState((zlib.crc32(weight.name.encode()) + seed) % 2**32)
    deviation = numpy.sqrt(weight.initial / numpy.prod(weight.shape[1:]))
    drawn: numpy.ndarray = deviation * generator.standard_normal(weight.shape)
    return drawn.astype(numpy.float32)
