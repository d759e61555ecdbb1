"""Batch files of CIFAR-10 and CIFAR-100, as their Python versions have them.

A file is a pickled dictionary whose b"data" is (n, 3072) uint8, a row being an image's red, green
and blue plane; https://www.cs.toronto.edu/~kriz/cifar.html.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from trainmark.data.errors import DataError
from trainmark.data.read import pickles
from trainmark.data.read.chunks import CHUNK_IMAGES, Chunk, cut

IMAGE_SHAPE = (3, 32, 32)


def read(path: Path, labels_key: bytes) -> Iterator[Chunk]:
    """Yield the images of a file with the labels that stand under a key.

    Raises DataError where the file is no such dictionary.
    """
    batch = pickles.read(path)
    try:
        images = batch[b"data"].reshape(-1, *IMAGE_SHAPE)
        labels = np.array(batch[labels_key], dtype=np.int64)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DataError(f"{path}: not a batch of CIFAR images ({error!r})") from error
    yield from cut((images, labels), CHUNK_IMAGES)
