"""The weights of a network: initial ones of a run and of its proof, and files of trained ones."""

import zlib
from typing import Any, Dict

import numpy

from worker.arrays import Weights
from worker.networks.neutral.builder import Network, Weight
from worker.networks.neutral.initial import Initial, draw

TRAINED = "weights.npz"


def initial(network: Network, seed: int) -> Weights:
    """The initial weights of a run: float32 arrays in neutral layout, by name.

    Each weight has its own generator, seeded by its name, so that a layer keeps its weights when
    other layers are added or removed.
    """
    return {w.name: _drawn(w, w.declared or w.usual, seed) for w in network.weights}


def usual(network: Network, seed: int) -> Weights:
    """The initial weights of the proof: trainmark's usual ones, not those that a network declares.

    A layer that starts from 0, or from values far below those that keep the variance, passes hardly
    any gradient on, so that nothing would prove the layers before it.
    """
    return {w.name: _drawn(w, w.usual, seed) for w in network.weights}


def save(arrays: Weights) -> None:
    """Write weights to TRAINED in the working folder, an .npz file (numpy.savez) by their names."""
    keywords: Dict[str, Any] = dict(arrays)  # Any, since savez has other keywords, too
    numpy.savez(TRAINED, **keywords)


def load(path: str) -> Weights:
    """Read the weights in a file that save() wrote."""
    with numpy.load(path) as stored:
        return {name: stored[name] for name in stored.files}


def _drawn(weight: Weight, initial: Initial, seed: int) -> numpy.ndarray:
    generator = numpy.random.RandomState((zlib.crc32(weight.name.encode()) + seed) % 2**32)
    return draw(initial, weight.shape, generator)
