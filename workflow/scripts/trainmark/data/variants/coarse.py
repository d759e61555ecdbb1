"""Coarse: the 20 superclasses of CIFAR-100 in place of its 100 classes.

A class belongs to one superclass, as the table of https://www.cs.toronto.edu/~kriz/cifar.html has
it; the numbers are those of the data set's files (coarse_labels).
"""

from collections.abc import Iterator

import numpy as np

from trainmark.data.read.chunks import Chunk, Splits
from trainmark.study.datasets import DataSetFacts

NAME = "coarse"
OF = ("cifar100",)
CLASSES = 20

# fmt: off
SUPERCLASSES = np.array([
    4, 1, 14, 8, 0, 6, 7, 7, 18, 3, 3, 14, 9, 18, 7, 11, 3, 9, 7, 11,
    6, 11, 5, 10, 7, 6, 13, 15, 3, 15, 0, 11, 1, 10, 12, 14, 16, 9, 11, 5,
    5, 19, 8, 8, 15, 13, 14, 17, 18, 10, 16, 4, 17, 4, 2, 0, 17, 4, 18, 17,
    10, 3, 2, 12, 12, 16, 12, 1, 9, 19, 2, 10, 0, 1, 16, 12, 9, 13, 15, 13,
    16, 19, 2, 4, 6, 19, 5, 5, 8, 19, 18, 1, 2, 15, 6, 0, 17, 8, 14, 13,
])
# fmt: on
"""The superclass of each class."""


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield the base's chunks with other labels."""
    for images, labels in base(split):
        yield images, SUPERCLASSES[labels]
