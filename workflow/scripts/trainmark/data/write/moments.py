"""Mean and deviation of the pixels of a data set, exact, however the stream is cut."""

import math

import numpy as np
from numpy.typing import NDArray


class Moments:
    """Sums over images of `channels` channels, kept as integers so that nothing is rounded."""

    def __init__(self, channels: int) -> None:
        """Begin with no images."""
        self.images = 0
        self._pixels = 0
        self._sums = [0] * channels
        self._squares = 0

    def add(self, images: NDArray[np.uint8]) -> None:
        """Take in images (n, C, H, W)."""
        self.images += len(images)
        self._pixels += images[:, 0].size
        sums = images.sum(axis=(0, 2, 3), dtype=np.int64).tolist()
        self._sums = [before + more for before, more in zip(self._sums, sums, strict=True)]
        squares = np.multiply(images, images, dtype=np.uint16)
        self._squares += int(squares.sum(dtype=np.int64))

    @property
    def mean(self) -> list[float]:
        """The mean of each channel, from 0 to 255."""
        return [total / self._pixels for total in self._sums]

    @property
    def scale(self) -> float:
        """One over the standard deviation of all values of all channels; 1 where they are equal."""
        count = self._pixels * len(self._sums)
        variance = (count * self._squares - sum(self._sums) ** 2) / count**2
        return 1 / math.sqrt(variance) if variance else 1.0
