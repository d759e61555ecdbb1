"""Protocol buffer records of one image and one label, made by numpy for many images at once.

All records of a data set are alike but for the pixels and the label, and a label is a varint:
only its size varies. So records whose labels have varints of the same size have the same length
and layout, and are the rows of one table of bytes.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trainmark.data.read.chunks import Chunk, cut
from trainmark.data.write.columns import Bytes, rows, table

BLOCK_BYTES = 2 << 20
"""About as much as a second-level cache holds, and what bounds the memory of a writer."""

VARINT, LENGTH_DELIMITED = 0, 2


class Layout(NamedTuple):
    """The constant bytes of a record: before the pixels, between them and the label, after it."""

    head: bytes
    join: bytes
    tail: bytes = b""


class Table(NamedTuple):
    """Records of the same length: their positions in the block and their bytes (records, bytes)."""

    positions: NDArray[np.intp]
    records: Bytes


def blocks(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Cut chunks into blocks of at most BLOCK_BYTES, or of one image where that is larger."""
    for chunk in chunks:
        yield from cut(chunk, max(1, BLOCK_BYTES // max(1, chunk[0][:1].nbytes)))


def varint(value: int) -> bytes:
    """The base-128 encoding of a non-negative integer."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def tag(number: int, wire_type: int = VARINT) -> bytes:
    """The bytes before the value of a field."""
    return varint(number << 3 | wire_type)


def integer(number: int, value: int) -> bytes:
    """A field of a non-negative integer."""
    return tag(number) + varint(value)


def delimited_head(number: int, length: int) -> bytes:
    """The bytes before `length` bytes of content: bytes, text or an embedded message."""
    return tag(number, LENGTH_DELIMITED) + varint(length)


def tables(
    pixels: Bytes, labels: NDArray[np.int64], layout: Callable[[int], Layout]
) -> Iterator[Table]:
    """Yield the records of images (n, bytes) and labels (n,), one table for each label size.

    `layout` gives the constant bytes for a size of the label's varint.
    """
    sizes = _varint_sizes(labels)
    for size in np.unique(sizes).tolist():
        head, join, tail = layout(size)
        positions = np.flatnonzero(sizes == size)
        some = pixels if len(positions) == len(pixels) else pixels[positions]
        numbers = _varints(labels[positions], size)
        yield Table(positions, table(len(positions), head, some, join, numbers, tail))


def in_order(parts: Iterable[Table], count: int) -> list[memoryview]:
    """The records of all tables in the order of their positions."""
    first, *others = parts
    if not others:
        return rows(first.records)
    ordered = [memoryview(b"")] * count
    for positions, records in (first, *others):
        for position, record in zip(positions.tolist(), rows(records), strict=True):
            ordered[position] = record
    return ordered


def _varint_sizes(values: NDArray[np.int64]) -> NDArray[np.intp]:
    bounds = [1 << 7 * size for size in range(1, 9)]
    return np.searchsorted(bounds, values, side="right") + 1


def _varints(values: NDArray[np.int64], size: int) -> Bytes:
    columns = (values[:, None] >> (7 * np.arange(size)) & 0x7F).astype(np.uint8)
    columns[:, :-1] |= 0x80
    return columns
