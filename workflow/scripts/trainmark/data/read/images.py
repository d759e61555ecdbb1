"""Data sets of image files: a listing, from which each image is read when it is needed.

The row of an image takes about 70 bytes, so that the listing of ImageNet fits into memory.
"""

import hashlib
import os
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trainmark.data.errors import DataError
from trainmark.data.read.chunks import check_count
from trainmark.study import plugins
from trainmark.study.datasets import DataSetFacts

ENCODING = "jpeg"
MEAN = (123.675, 116.28, 103.53)
"""The mean of ILSVRC12's training images, red, green and blue: images that are not decoded have no
mean of their own. Source: https://pytorch.org/vision/stable/models.html, times 255."""
SCALE = 1 / 57.63
"""One over the mean of the three deviations published there: 58.395, 57.12, 57.375."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp", ".ppm", ".pgm")
SHUFFLE_SEED = 2012

Rows = NDArray[np.void]
"""Fields: name (bytes), bytes (size), label, offset in the tar file, time of last change (ns)."""
Row = tuple[bytes, int, int, int, int]


class Listing(Protocol):
    """One split of a data set of image files, in the order in which it is to be stored.

    `labels` is (n,); `digest` is the SHA-256 of facts known without reading the images.
    """

    labels: NDArray[np.int64]
    digest: str

    def __len__(self) -> int:
        """The number of images."""

    def name(self, number: int) -> str:
        """The name of an image, for messages."""

    def read(self, number: int) -> bytes:
        """The content of an image file; may be called by several threads."""


def listings(expected: DataSetFacts, source: Path, subset: bool) -> dict[str, Listing]:
    """Both splits of a data set of image files, "train" and "test".

    `source` is the link to the folder of the images that the download made. With `subset`, there
    may be fewer images than expected. Raises DataError, and OSError.
    """
    plugin = plugins.load("data set", expected.plugin)
    listings = {split: plugin.listing(source, split) for split in ("train", "test")}
    for split, listing in listings.items():
        check_count(len(listing), expected, split, subset)
    return listings


def rows(images: Sequence[Row]) -> Rows:
    """The rows of some images."""
    longest = max((len(name) for name, *_ in images), default=1)
    fields = [
        ("name", f"S{longest}"),
        ("bytes", "i8"),
        ("label", "i8"),
        ("offset", "i8"),
        ("mtime_ns", "i8"),
    ]
    return np.array(images, dtype=fields)


def joined(parts: Sequence[Rows]) -> Rows:
    """All rows in one array."""
    return np.concatenate(parts) if parts else rows([])


def shuffled(images: Rows) -> Rows:
    """The rows in a random order, always the same one: frameworks read in the stored order."""
    return images[np.random.default_rng(SHUFFLE_SEED).permutation(len(images))]


def is_image(name: str) -> bool:
    """Whether a file name is an image's, by its suffix; hidden files are no images."""
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


class _Listed:
    """Listed images: the common part of files and of members of a tar file."""

    def __init__(self, path: Path, images: Rows) -> None:
        self._path = path
        self._names, self._sizes, self.labels = images["name"], images["bytes"], images["label"]
        self.digest = hashlib.sha256(images.view(np.uint8).data).hexdigest()

    def __len__(self) -> int:
        return len(self.labels)

    def name(self, number: int) -> str:
        """The path of an image file, or the path of its tar file followed by its name in it."""
        return f"{self._path}/{os.fsdecode(self._names[number])}"

    def _checked(self, number: int, content: bytes) -> bytes:
        if len(content) != self._sizes.item(number):
            raise DataError(f"{self.name(number)}: isn't as long as when it was listed")
        return content


class Files(_Listed):
    """Image files in the folder `path`."""

    def __init__(self, path: Path, images: Rows) -> None:
        super().__init__(path, images)
        self._folder = os.fsencode(path) + b"/"

    def read(self, number: int) -> bytes:
        """The content of an image file; raises DataError where its size has changed, OSError."""
        # System calls alone, since pathlib takes longer than the calls themselves.
        file = os.open(self._folder + self._names.item(number), os.O_RDONLY)
        try:
            content = os.read(file, self._sizes.item(number) + 1)
        finally:
            os.close(file)
        return self._checked(number, content)


class Members(_Listed):
    """Image files in the tar file `path`, read without unpacking."""

    def __init__(self, path: Path, images: Rows) -> None:
        super().__init__(path, images)
        self._offsets = images["offset"]
        self.digest = hashlib.sha256(f"{self.digest} {path.stat().st_size}".encode()).hexdigest()
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)

    def read(self, number: int) -> bytes:
        """The content of an image file; raises DataError where the tar file is cut, OSError."""
        content = os.pread(self._file, self._sizes[number], self._offsets[number])
        return self._checked(number, content)
