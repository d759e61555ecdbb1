"""Digits: 1,797 handwritten digits of the UCI repository, the data set that needs no download.

E. Alpaydin, C. Kaynak (1998), Optical Recognition of Handwritten Digits, the part that
scikit-learn carries. The 8x8 images with values 0 to 16 are laid out like MNIST: values scaled to
0 to 255, each pixel tripled to 24x24, with a border of 2.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits  # type: ignore[import-untyped]

from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (1, 28, 28)
CLASSES = 10
TRAIN_COUNT = 1500
TEST_COUNT = 297
SOURCE_FILES = ()

SPLITS = {"train": slice(0, TRAIN_COUNT), "test": slice(TRAIN_COUNT, None)}


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the whole split as one chunk; `source` is not needed."""
    digits = load_digits()
    small = digits.images[SPLITS[split]]
    scaled = np.rint(small * (255 / 16)).astype(np.uint8)
    tripled = scaled.repeat(3, axis=1).repeat(3, axis=2)
    images = np.pad(tripled, ((0, 0), (2, 2), (2, 2)))
    yield images[:, np.newaxis], digits.target[SPLITS[split]].astype(np.int64)
