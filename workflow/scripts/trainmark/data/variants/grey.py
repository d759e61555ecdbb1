"""Grey: the mean of red, green and blue, rounded to whole levels (halves can't occur).

As load.py of https://github.com/benanne/theano-tutorial makes CIFAR-10 grey, but for the rounding.
"""

from collections.abc import Iterator

import numpy as np

from trainmark.data.read.chunks import Chunk, Splits
from trainmark.study.datasets import DataSetFacts

NAME = "grey"
CHANNELS = {3: 1}


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield the base's chunks with images (n, 1, H, W)."""
    for images, labels in base(split):
        sums = images.sum(axis=1, keepdims=True, dtype=np.uint16)
        yield ((sums + 1) // 3).astype(np.uint8), labels
