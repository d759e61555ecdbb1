"""Corruptions of test images: the same in all frameworks, and in each run of every study.

The term and most of the kinds are of Hendrycks & Dietterich 2019, Benchmarking Neural Network
Robustness to Common Corruptions and Perturbations. One file per kind has

    corrupt(images, numbers) -> images

on float64 (n, C, H, W), in levels from 0 to 255; `numbers`, (n,), are the places of the images in
their split, from which random ones draw. What comes of it may lie beyond these levels.
"""

import importlib
from typing import Iterable, Iterator

import numpy

from worker.arrays import LabelledImages

ABOVE_ROUNDING = 1e-6
"""Of a level: half a level is rounded up whatever the last bits are that a processor gives it."""


def corrupted(stored: Iterable[LabelledImages], name: str) -> Iterator[LabelledImages]:
    """Yield the batches of a whole split with images as uint8, rounded and cut at black and white.

    The values of the stored images (n, C, H, W), of whatever type, are those of bytes.
    """
    corrupt = importlib.import_module("worker.input.corruptions." + name).corrupt
    first = 0
    for images, labels in stored:
        numbers = numpy.arange(first, first + len(labels))
        levels = corrupt(images.astype(numpy.float64), numbers)
        yield as_bytes(levels), labels
        first += len(labels)


def as_bytes(levels: numpy.ndarray) -> numpy.ndarray:
    """The nearest of 256 levels, as uint8."""
    nearest = numpy.floor(levels + (0.5 + ABOVE_ROUNDING))
    whole: numpy.ndarray = numpy.clip(nearest, 0, 255).astype(numpy.uint8)
    return whole
