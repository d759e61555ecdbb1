"""LMDB of Caffe's Datum messages, which Caffe, Caffe2, PyTorch and Theano read.

Sources: Datum in https://github.com/BVLC/caffe/blob/master/src/caffe/proto/caffe.proto, keys as
in its examples/mnist/convert_mnist_data.cpp, image files as in ReadFileToDatum of its
src/caffe/util/io.cpp, http://www.lmdb.tech/doc/.
"""

import math
import mmap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import lmdb
import numpy as np
from numpy.typing import NDArray

from trainmark.data.read.chunks import Chunk
from trainmark.data.write.encoded import Image
from trainmark.data.write.protobuf import (
    Layout,
    blocks,
    delimited_head,
    in_order,
    integer,
    tables,
    tag,
)

ENCODING = "raw"
SUFFIX = ""

CHANNELS, HEIGHT, WIDTH, DATA, LABEL = range(1, 6)
ENCODED = integer(7, 1)
"""The field `encoded` of a Datum whose data are an image file."""
Record = bytes | memoryview

HEAD_BYTES = 2 * mmap.PAGESIZE
"""The size of LMDB's head; a file that was interrupted before this is no database."""
FIRST_MAP_BYTES = 1 << 20
KEPT_BYTES = 16 << 20
"""More than a block of images takes; glibc ignores pieces above 32 MiB."""
SPARE_PAGES = 64
"""Spare pages for inner nodes of the tree; a block adds only a few."""


def write(chunks: Iterable[Chunk], path: Path, shape: tuple[int, int, int]) -> None:
    """Write images of `shape` (C, H, W) as the folder `path` with the keys 00000000, 00000001, ….

    Each block is a transaction of its own. The only sync to the disk is at the end, since an
    incomplete folder is of no use. Raises OSError if the disk is full or read-only.
    """
    with _opened(path) as environment:
        written = 0
        for images, labels in blocks(chunks):
            _append(environment, written, _datums(images, labels, shape))
            written += len(labels)
        environment.sync(True)


class ImageWriter(AbstractContextManager["ImageWriter"]):
    """Adds image files to the folder `path`, each block of them in a transaction of its own.

    Data of an interrupted transaction are no part of the database, and are overwritten. The
    database is opened again for each block: LMDB fills the gaps of a page with earlier content of
    the memory, and a block's bytes must depend only on the file that it is added to.

    Raises OSError if the disk is full or read-only.
    """

    def __init__(self, path: Path) -> None:
        _keep_freed_memory()
        self._path = path
        file = path / "data.mdb"
        if file.exists() and file.stat().st_size < HEAD_BYTES:
            file.unlink()
        with _opened(path) as environment:
            self.written = int(environment.stat()["entries"])

    def append(self, images: Sequence[Image]) -> None:
        """Add a block of images."""
        with _opened(self._path) as environment:
            _append(environment, self.written, [_encoded_datum(image) for image in images])
        self.written += len(images)

    def __exit__(self, *failure: object) -> None:
        """Sync to the disk."""
        with _opened(self._path) as environment:
            environment.sync(True)


def _keep_freed_memory() -> None:
    """Make glibc keep the memory that LMDB frees after each block and allocates for the next.

    Returning it to the system can take longer than writing. Freeing one large piece raises the
    limit above which glibc does that: M_TRIM_THRESHOLD in
    https://man7.org/linux/man-pages/man3/mallopt.3.html.
    """
    bytearray(KEPT_BYTES)


@contextmanager
def _opened(path: Path) -> Iterator[lmdb.Environment]:
    try:
        with lmdb.open(str(path), map_size=FIRST_MAP_BYTES, lock=False, sync=False) as environment:
            yield environment
    except lmdb.Error as error:
        raise OSError(None, f"{error} (is the disk full?)", str(path)) from error


def _encoded_datum(image: Image) -> bytes:
    head = delimited_head(DATA, len(image.content))
    return b"".join((head, image.content, integer(LABEL, image.label), ENCODED))


def _datums(
    images: NDArray[np.uint8], labels: NDArray[np.int64], shape: tuple[int, int, int]
) -> list[memoryview]:
    pixels = images.reshape(len(images), -1)
    return in_order(tables(pixels, labels, partial(layout, shape)), len(images))


def layout(shape: tuple[int, int, int], label_bytes: int) -> Layout:
    """The constant bytes of a Datum, the same for every size of the label."""
    channels, height, width = shape
    head = integer(CHANNELS, channels) + integer(HEIGHT, height) + integer(WIDTH, width)
    return Layout(head + delimited_head(DATA, math.prod(shape)), tag(LABEL))


def _append(environment: lmdb.Environment, first: int, datums: Sequence[Record]) -> None:
    _make_room(environment, datums)
    keys = (b"%08d" % number for number in range(first, first + len(datums)))
    with environment.begin(write=True) as transaction, transaction.cursor() as cursor:
        cursor.putmulti(zip(keys, datums, strict=True), append=True)


def _make_room(environment: lmdb.Environment, datums: Sequence[Record]) -> None:
    """Enlarge the memory map for these records; every page is at least half full of records.

    Since the file is mapped again for each block, the pages in memory don't add up to its size.
    """
    page_bytes = environment.stat()["psize"]
    pages = environment.info()["last_pgno"] + SPARE_PAGES
    pages += 2 * sum(len(datum) // page_bytes + 1 for datum in datums)
    environment.set_mapsize(pages * page_bytes)
