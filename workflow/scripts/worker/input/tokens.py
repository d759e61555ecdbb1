"""Text as batches: windows of tokens, and for each of these the token that follows it."""

from typing import Iterable, Iterator

import numpy

from worker.arrays import LabelledImages


def with_next(images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
    """The tokens of a batch, float32, and the next token of each: labels int64 (n, tokens).

    images: the tokens (n, 1, 1, tokens); labels: the token that follows each window (n,).
    """
    tokens = images.reshape(len(images), -1).astype(numpy.int64)
    following = numpy.concatenate([tokens[:, 1:], labels[:, None]], axis=1)
    return images.astype(numpy.float32), following


def all_with_next(batches: Iterable[LabelledImages]) -> Iterator[LabelledImages]:
    """Yield batches by with_next()."""
    for images, labels in batches:
        yield with_next(images, labels)
