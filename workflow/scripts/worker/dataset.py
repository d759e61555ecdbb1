"""The index of a converted data set (dataset.json) and the normalisation it prescribes."""

import json
from pathlib import Path

import numpy


class DataError(Exception):
    """A converted data set that doesn't hold what its index says."""


def load(path):
    """Read the index at `path`; the paths of its splits become absolute."""
    index = json.loads(Path(path).read_text(encoding="utf-8"))
    folder = Path(path).resolve().parent
    for part in index["splits"].values():
        part["path"] = str(folder / part["path"])
    return index


def batch_sizes(index, split, batch_size):
    """Yield the number of images of each batch of one epoch: "train" has full batches only."""
    full, rest = divmod(index["splits"][split]["count"], batch_size)
    for _ in range(full):
        yield batch_size
    if rest and split != "train":
        yield rest


def stream(read, index, split, batch_size):
    """Yield what a reader does: "train" epoch after epoch without end, "test" once."""
    count = index["splits"][split]["count"]
    if split == "train" and count < batch_size:
        raise DataError(f"{count} training images fill no batch of {batch_size}")
    yield from read(index, split, batch_size)
    while split == "train":
        yield from read(index, split, batch_size)


def normalised(read, index, split, batch_size):
    """Yield the same with images normalised."""
    for images, labels in stream(read, index, split, batch_size):
        yield normalise(images, index), labels


def normalise(images, index):
    """Images (n, C, H, W) uint8 as float32: (pixel - mean[channel]) * scale.

    The result has the memory layout of the images.
    """
    mean = numpy.empty_like(images[0], dtype=numpy.float32)  # whole, which numpy is faster with
    mean[...] = numpy.array(index["mean"], dtype=numpy.float32).reshape(-1, 1, 1)
    normalised = numpy.subtract(images, mean, dtype=numpy.float32)
    normalised *= numpy.float32(index["scale"])
    return normalised
