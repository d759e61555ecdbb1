"""The index of a converted data set (dataset.json) and the normalisation it prescribes."""

import json
from pathlib import Path

import numpy

SHORT_SIDE = 256  # to which image files are resized before they are cropped


class DataError(Exception):
    """A converted data set that doesn't hold what its index says."""


def load(path):
    """Read the index at `path`; the paths of its splits become absolute."""
    index = json.loads(Path(path).read_text(encoding="utf-8"))
    folder = Path(path).resolve().parent
    for part in index["splits"].values():
        part["path"] = str(folder / part["path"])
    return index


def of_job(job):
    """The index of a job's data set, with the image_shape that is trained on.

    That is (C, H, W) of the crop where the images are image files, which differ in size. Raises
    DataError where it is larger than they are.
    """
    index = dict(load(job.data), image_shape=job.image_shape)
    size, side = max(index["image_shape"][1:]), index.get("short_side") or SHORT_SIDE
    if is_encoded(index) and size > side:
        raise DataError(f"an image of shorter side {side} has no crop of {size}: lower image_size")
    return index


def is_encoded(index):
    """Whether the images are image files of any size, which are cropped while they are read."""
    return index.get("encoding") == "jpeg"


def resized_to(index):
    """To which shorter side a reader resizes image files; None: they are stored so."""
    return None if index["short_side"] else SHORT_SIDE


def batch_sizes(index, split, batch_size):
    """Yield the number of images of each batch of one epoch: "train" has full batches only."""
    full, rest = divmod(index["splits"][split]["count"], batch_size)
    for _ in range(full):
        yield batch_size
    if rest and split != "train":
        yield rest


def check_batch(index, batch_size):
    """Raise DataError where the training images fill not even one batch."""
    count = index["splits"]["train"]["count"]
    if count < batch_size:
        raise DataError(f"{count} training images fill no batch of {batch_size}")


def stream(read, index, split, batch_size):
    """Yield what a reader does: "train" epoch after epoch without end, "test" once."""
    if split == "train":
        check_batch(index, batch_size)
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
