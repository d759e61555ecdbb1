"""Synthetic: random images and labels, of any shape or of the shape of a real data set.

They are the same on every machine: the random numbers are seeded by the data set's name and the
split. Nothing can be learned from them, which a measurement of speed doesn't need.
"""

import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from trainmark.data.read.chunks import CHUNK_IMAGES, Chunk
from trainmark.study.datasets import facts

TRAIN_COUNT = 1024
TEST_COUNT = 256
SOURCE_FILES = ()

CHUNK_BYTES = 2**26


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield random images in chunks; the data set's name is that of the folder around `source`."""
    dataset = facts(source.parent.name)
    count = dataset.count(split) or 0
    random = np.random.default_rng(zlib.crc32(f"{dataset.name} {split}".encode()))
    rows = max(1, min(CHUNK_IMAGES, CHUNK_BYTES // int(np.prod(dataset.image_shape))))
    for first in range(0, count, rows):
        n = min(rows, count - first)
        images = random.integers(256, size=(n, *dataset.image_shape), dtype=np.uint8)
        yield images, random.integers(dataset.classes, size=n)
