"""Corruptions of test images, equal in all frameworks and in each run of every study.

The term and most of the kinds are of Hendrycks & Dietterich 2019, Benchmarking Neural Network
Robustness to Common Corruptions and Perturbations. One file per kind has

    corrupt(images, numbers) -> images

on float64 (n, C, H, W), in levels from 0 to 255; `numbers`, (n,), are the images' positions in
their split, which seed random corruptions. The result may lie beyond these levels.
"""

import importlib
from typing import Iterable, Iterator

import numpy

from worker.arrays import LabelledImages

ABOVE_ROUNDING = 1e-6
"""Added to each level, so that half a level is rounded up on every processor."""


def corrupted(stored: Iterable[LabelledImages], name: str) -> Iterator[LabelledImages]:
    """Yield the corrupted batches of a split: uint8, rounded and cut off at black and white.

    stored: images (n, C, H, W) of any type, with values of bytes, and their labels.
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
