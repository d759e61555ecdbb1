"""TFRecord of tf.train.Example messages, which TensorFlow and JAX read.

Each example holds "image", the raw pixels (H, W, C) or an image file, and "label". Image files go
to a folder of shards, raw pixels to one file.

Sources: https://www.tensorflow.org/tutorials/load_data/tfrecord (framing, masked CRC-32C) and
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/example/feature.proto.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import crc32c
import numpy as np
from numpy.typing import NDArray

from trainmark.data.read.chunks import Chunk
from trainmark.data.write.columns import Bytes, as_bytes, channels_last, checksums, rows
from trainmark.data.write.encoded import Image
from trainmark.data.write.protobuf import (
    BLOCK_BYTES,
    Layout,
    Table,
    blocks,
    delimited_head,
    in_order,
    tables,
    varint,
)

ENCODING = "raw"
SUFFIX = ".tfrecord"
IMAGE_SUFFIX = ""
IMAGES_PER_SHARD = 1251
"""ILSVRC12 in 1,024 shards of 140 MB, as is usual."""

MASK = np.uint32(0xA282EAD8)
CHECKSUM = bytes(4)
FRAME_HEAD_BYTES = 12
"""The length of the example in 8 bytes and the checksum of these in 4."""
FEATURES, FEATURE, KEY, VALUE = 1, 1, 1, 2
BYTES_LIST, INTEGER_LIST, ITEM = 1, 3, 1


def write(chunks: Iterable[Chunk], path: Path, shape: tuple[int, int, int]) -> None:
    """Write images of `shape` (C, H, W) as the file `path`; raises OSError."""
    with path.open("wb") as file:
        for images, labels in blocks(chunks):
            pixels = channels_last(images).reshape(len(images), -1)
            parts = map(_checked, tables(pixels, labels, partial(layout, math.prod(shape))))
            file.write(b"".join(in_order(parts, len(images))))


class ImageWriter(AbstractContextManager["ImageWriter"]):
    """Adds image files to the folder `path`, in shards 00000.tfrecord, 00001.tfrecord, ….

    A shard is begun when the one before is whole, so of those that an interrupted writer left,
    the last is written anew. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        path.mkdir(exist_ok=True)
        self._folder = path
        shards = len(list(path.iterdir()))
        self.written = max(0, shards - 1) * IMAGES_PER_SHARD
        self._shard = self._new_shard(self.written)

    def append(self, images: Sequence[Image]) -> None:
        """Add a block of images."""
        for image in images:
            if self.written % IMAGES_PER_SHARD == 0:
                self._shard.close()
                self._shard = self._new_shard(self.written)
            self._shard.write(_example(image))
            self.written += 1

    def _new_shard(self, first: int) -> BinaryIO:
        path = self._folder / f"{first // IMAGES_PER_SHARD:05d}{SUFFIX}"
        return path.open("wb", buffering=BLOCK_BYTES)

    def __exit__(self, *failure: object) -> None:
        """Close the shard."""
        self._shard.close()


def _example(image: Image) -> bytes:
    """The framed example of an image file."""
    label = varint(image.label)
    head, join, _ = layout(len(image.content), len(label))
    frame, start = head[:FRAME_HEAD_BYTES], head[FRAME_HEAD_BYTES:]
    example = b"".join((start, image.content, join, label))
    return b"".join((frame, example, _masked_checksums([memoryview(example)]).tobytes()))


def layout(image_bytes: int, label_bytes: int) -> Layout:
    """The constant bytes of a framed example whose label takes `label_bytes`."""
    join = _entry_head(b"label", INTEGER_LIST, label_bytes)
    image = _entry_head(b"image", BYTES_LIST, image_bytes)
    features_bytes = len(image) + image_bytes + len(join) + label_bytes
    features = delimited_head(FEATURES, features_bytes)
    length = struct.pack("<Q", len(features) + features_bytes)
    frame = length + _masked_checksums([memoryview(length)]).tobytes()
    return Layout(frame + features + image, join, CHECKSUM)


def masked(checksums: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Checksums turned and shifted, so that a checksum of checksums stays one."""
    return ((checksums >> 15 | checksums << 17) + MASK).astype(np.uint32, copy=False)


def _masked_checksums(contents: list[memoryview]) -> Bytes:
    return as_bytes(masked(checksums(crc32c.crc32c, contents)), "<u4")


def _entry_head(key: bytes, kind: int, item_bytes: int) -> bytes:
    """The bytes before the only item of a feature, from the inside out."""
    item = delimited_head(ITEM, item_bytes)
    items = delimited_head(kind, len(item) + item_bytes) + item
    value = delimited_head(VALUE, len(items) + item_bytes) + items
    name = delimited_head(KEY, len(key)) + key
    return delimited_head(FEATURE, len(name) + len(value) + item_bytes) + name + value


def _checked(part: Table) -> Table:
    """Fill in the checksums of the examples."""
    examples = rows(part.records, first=FRAME_HEAD_BYTES, last=len(CHECKSUM))
    part.records[:, -len(CHECKSUM) :] = _masked_checksums(examples)
    return part
