"""Means and deviation of the pixels of a data set, exact, however the stream is cut."""

import math

import numpy as np
from numpy.typing import NDArray


class Moments:
    """Sums over images of `shape` (C, H, W), kept as integers so that nothing is rounded."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        """Begin with no images."""
        self.images = 0
        self._sums = np.zeros(shape, dtype=np.int64)
        self._squares = 0

    def add(self, images: NDArray[np.uint8]) -> None:
        """Take in images (n, C, H, W)."""
        self.images += len(images)
        self._sums += images.sum(axis=0, dtype=np.int64)
        squares = np.multiply(images, images, dtype=np.uint16)
        self._squares += int(squares.sum(dtype=np.int64))

    @property
    def mean(self) -> list[float]:
        """The mean of each channel, from 0 to 255."""
        pixels = self.images * self._sums[0].size
        return [total / pixels for total in self._sums.sum(axis=(1, 2)).tolist()]

    @property
    def mean_image(self) -> NDArray[np.float32]:
        """The mean of each pixel (C, H, W), from 0 to 255."""
        return (self._sums / self.images).astype(np.float32)

    @property
    def scale(self) -> float:
        """One over the standard deviation of all values of all channels; 1 where they are equal."""
        count = self.images * self._sums.size
        variance = (count * self._squares - int(self._sums.sum()) ** 2) / count**2
        return 1 / math.sqrt(variance) if variance else 1.0
