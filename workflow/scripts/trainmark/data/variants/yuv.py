"""YUV: brightness normalised by its surroundings, colours by mean and deviation, as Torch has it.

Y is normalised by local contrast: from each pixel the mean around it is subtracted, and the result
is divided by the deviation around it, both weighted by a Gaussian of 7 x 7 pixels. U and V of all
images become (mean - value) / deviation, by mean and deviation of the training images; the sign is
Torch's. Numbers from -4 to 4 are stored as 256 levels: level 128 is 0, and a step 1 / 32.

Sources: https://github.com/torch/demos/blob/master/train-on-cifar/train-on-cifar.lua; rgb2yuv and
gaussian1D in https://github.com/torch/image/blob/master/init.lua; SpatialSubtractiveNormalization
and SpatialDivisiveNormalization of https://github.com/torch/nn.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import correlate1d

from trainmark.data.read.chunks import Chunk, Splits, cut
from trainmark.study.datasets import DataSetFacts

NAME = "yuv"
CHANNELS = {3: 3}

Floats = NDArray[np.float64]

FROM_RGB = np.array(
    [[0.299, 0.587, 0.114], [-0.14713, -0.28886, 0.436], [0.615, -0.51499, -0.10001]]
)
TAPS = 7
SIGMA = 0.25 * TAPS
THRESHOLD = 1e-4
"""Deviations up to this count as this."""
ZERO, STEPS = 128, 32
"""The level of 0, and levels in 1."""
BLOCK_IMAGES = 1000


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield the base's images in blocks; its training images are read once more for U and V."""
    mean, deviation = _moments(base)
    for images, labels in _blocks(base(split)):
        brightness, *colours = _yuv(images)
        scaled = [(m - plane) / d for plane, m, d in zip(colours, mean, deviation, strict=True)]
        yield _levels(np.stack([local_contrast(brightness), *scaled], axis=1)), labels


def _blocks(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """Images converted at a time: as floats they take eight times the memory, in several copies."""
    for chunk in chunks:
        yield from cut(chunk, BLOCK_IMAGES)


def _yuv(images: NDArray[np.uint8]) -> Floats:
    """Images (n, 3, H, W) in RGB as planes (3, n, H, W) of Y, U and V."""
    planes: Floats = np.einsum("yc,nchw->ynhw", FROM_RGB, images)
    return planes


def _moments(base: Splits) -> tuple[Floats, Floats]:
    """Mean and deviation (2,) of U and V over all pixels of the training images."""
    count, total, squares = 0, np.zeros(2), np.zeros(2)
    for images, _ in _blocks(base("train")):
        colours = _yuv(images)[1:]
        count += colours[0].size
        total += colours.sum(axis=(1, 2, 3))
        squares += np.square(colours).sum(axis=(1, 2, 3))
    mean = total / count
    return mean, np.sqrt(np.maximum(squares / count - mean**2, THRESHOLD**2))


def local_contrast(planes: Floats) -> Floats:
    """Planes (n, H, W) normalised by local mean and deviation.

    What lies outside of an image counts as 0, and both are divided by the weight that lies inside.
    Torch divides the deviation, not its square, which makes it larger along the edges.
    """
    inside = _weighted(np.ones_like(planes[:1]))
    centred = planes - _weighted(planes) / inside
    deviation = np.sqrt(_weighted(np.square(centred))) / inside
    return centred / np.maximum(deviation, THRESHOLD)


def _weighted(planes: Floats) -> Floats:
    """Each pixel's surroundings, weighted by a Gaussian whose weights sum up to 1."""
    distances = np.arange(TAPS) - TAPS // 2
    weights = np.array([math.exp(-((distance / SIGMA) ** 2) / 2) for distance in distances])
    for axis in (1, 2):
        planes = correlate1d(planes, weights / weights.sum(), axis=axis, mode="constant")
    return planes


def _levels(values: Floats) -> NDArray[np.uint8]:
    levels: NDArray[np.uint8] = np.clip(np.rint(values * STEPS) + ZERO, 0, 255).astype(np.uint8)
    return levels
