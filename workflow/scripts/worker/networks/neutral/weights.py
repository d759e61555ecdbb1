"""The weights of a network: what a run and its proof start from, and the file of trained ones."""

import zlib
from typing import Any, Dict

import numpy

from worker.arrays import Weights
from worker.networks.neutral.builder import Network, Weight
from worker.networks.neutral.initial import Initial, draw

TRAINED = "weights.npz"


def initial(network: Network, seed: int) -> Weights:
    """What a run starts from: each weight's name, and a float32 array in neutral layout.

    Each is drawn by a generator of its own, seeded by its name, so that a layer keeps its weights
    when others come or go.
    """
    return {w.name: _drawn(w, w.declared or w.usual, seed) for w in network.weights}


def usual(network: Network, seed: int) -> Weights:
    """What parity is proven from: the same without what the network declares.

    A layer that starts from 0, or from far less than what keeps the variance, hands hardly any
    gradient on, and the layers before it would be proven by nothing.
    """
    return {w.name: _drawn(w, w.usual, seed) for w in network.weights}


def save(arrays: Weights) -> None:
    """Keep weights in the working folder's TRAINED: an .npz (numpy.savez) with their names."""
    named: Dict[str, Any] = dict(arrays)  # old numpy has no argument but arrays
    numpy.savez(TRAINED, **named)


def load(path: str) -> Weights:
    """The weights in a file that save() wrote."""
    with numpy.load(path) as stored:
        return {name: stored[name] for name in stored.files}


def _drawn(weight: Weight, initial: Initial, seed: int) -> numpy.ndarray:
    generator = numpy.random.RandomState((zlib.crc32(weight.name.encode()) + seed) % 2**32)
    return draw(initial, weight.shape, generator)
