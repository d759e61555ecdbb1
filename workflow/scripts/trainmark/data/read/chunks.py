"""The one stream in which every data set is read and from which every format is written."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trainmark.data.errors import DataError
from trainmark.study import plugins
from trainmark.study.datasets import DataSetFacts, facts, origin

Chunk = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Images (n, channels, height, width) in RGB or grey, and their labels (n,)."""

Splits = Callable[[str], Iterator[Chunk]]
"""A function that yields the chunks of one split, "train" or "test"."""

CHUNK_IMAGES = 10_000
"""The most images in one chunk, which bounds the memory of whatever reads the stream."""


def read(dataset: str, source: Path, split: str) -> Iterator[Chunk]:
    """Yield the chunks of one split ("train" or "test") of a data set, in its stored order.

    `source` is the folder that the download filled. A variant is made of what its base yields.
    Raises DataError where the files there hold anything else than images and labels of this data
    set.
    """
    expected = facts(dataset)
    for chunk in _read(expected, source, split):
        _check(chunk, expected, split)
        yield chunk


def _read(expected: DataSetFacts, source: Path, split: str) -> Iterator[Chunk]:
    if expected.base is None:
        chunks: Iterator[Chunk] = plugins.load("data set", expected.plugin).read(source, split)
        return chunks
    base: Splits = partial(read, expected.base, source)
    varied: Iterator[Chunk] = plugins.load("variant", expected.variant or "").read(
        base, split, expected
    )
    return varied


def part(chunks: Iterator[Chunk], start: int, stop: int | None = None) -> Iterator[Chunk]:
    """Yield the images from number `start` to before number `stop`, counted from 0."""
    first = 0
    for images, labels in chunks:
        here = slice(max(start - first, 0), None if stop is None else max(stop - first, 0))
        if len(labels[here]):
            yield images[here], labels[here]
        first += len(labels)
        if stop is not None and first >= stop:
            return


def cut(chunk: Chunk, most: int) -> Iterator[Chunk]:
    """Yield a chunk in pieces of at most `most` images."""
    images, labels = chunk
    for first in range(0, len(images), most):
        piece = slice(first, first + most)
        yield images[piece], labels[piece]


def check_count(count_read: int, expected: DataSetFacts, split: str, subset: bool) -> None:
    """Raise DataError for a wrong number of images; with `subset` there may be fewer."""
    count = expected.count(split)
    if count_read == 0 and expected.encoded:
        raise DataError(
            f"{expected.name}: no images for the split {split}; without folders train and val, a "
            "class needs five images for one to be a test image"
        )
    if count_read == 0 or (count and (count_read > count or (count_read < count and not subset))):
        raise DataError(
            f"{expected.name}, split {split}: {count_read} images where {count or 'some'} were "
            f"expected; fetch its source anew, or list {origin(expected.name)} in machine.subset "
            "if fewer are meant"
        )


def _check(chunk: Chunk, expected: DataSetFacts, split: str) -> None:
    images, labels = chunk
    where = f"{expected.name}, split {split}"
    if images.shape != (len(labels), *expected.image_shape):
        raise DataError(
            f"{where}: images of shape {images.shape} with {len(labels)} labels, "
            f"where {expected.image_shape} and a label for each was expected"
        )
    if len(labels) and not (labels.min() >= 0 and labels.max() < expected.classes):
        raise DataError(
            f"{where}: labels from {labels.min()} to {labels.max()}, "
            f"where 0 to {expected.classes - 1} was expected"
        )
