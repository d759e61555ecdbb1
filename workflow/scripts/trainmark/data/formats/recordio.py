"""RecordIO with an index, which MXNet reads; its image iterator wants encoded images: PNG.

A record is the magic word, a word with the length, an IRHeader, the image, zeros up to a word.
Where the content itself holds the magic word at a word's place, the record is split there and
the word left out, so that a reader can find the next record from anywhere.

Sources: https://github.com/dmlc/dmlc-core/blob/main/include/dmlc/recordio.h and
https://github.com/apache/mxnet/blob/v1.x/python/mxnet/recordio.py.
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trainmark.data import png
from trainmark.data.chunks import Chunk
from trainmark.data.columns import Bytes, as_bytes, rows, table
from trainmark.data.records import blocks

ENCODING = "png"
SUFFIX = ".rec"

MAGIC = 0xCED7230A
WORD = 4
HEAD_BYTES = 2 * WORD
WHOLE, FIRST, MIDDLE, LAST = range(4)
"""What part of a record follows."""
PART_BITS = 29


def write(chunks: Iterable[Chunk], path: Path, shape: tuple[int, int, int]) -> None:
    """Write images of `shape` (C, H, W) as `path` (.rec) with its index (.idx) beside it.

    Raises png.ChannelsError for images that are neither grey nor RGB, and OSError.
    """
    number = place = 0
    with path.open("wb") as file, path.with_suffix(".idx").open("w", newline="\n") as index:
        for images, labels in blocks(chunks):
            records = framed(_header(number, labels), png.stored(images))
            for record in records:
                index.write(f"{number}\t{place}\n")
                number, place = number + 1, place + len(record)
            file.write(b"".join(records))


def framed(*contents: Bytes) -> list[memoryview]:
    """Records of contents (n, bytes) that are joined from several columns."""
    count, size = len(contents[0]), sum(column.shape[1] for column in contents)
    records = table(count, _head(WHOLE, size), *contents, bytes(-size % WORD))
    words = records[:, HEAD_BYTES : HEAD_BYTES + size // WORD * WORD].view("<u4")
    framed = rows(records)
    for place in np.flatnonzero((words == MAGIC).any(axis=1)).tolist():
        content = records[place, HEAD_BYTES : HEAD_BYTES + size].tobytes()
        framed[place] = memoryview(b"".join(_split(content)))
    return framed


def _header(first: int, labels: NDArray[np.int64]) -> Bytes:
    """The IRHeader of each record: flag, label, number, second number."""
    numbers = np.arange(first, first + len(labels))
    return table(len(labels), bytes(4), as_bytes(labels, "<f4"), as_bytes(numbers, "<u8"), bytes(8))


def _head(part: int, size: int) -> bytes:
    return struct.pack("<II", MAGIC, part << PART_BITS | size)


def _split(content: bytes) -> Iterator[bytes]:
    """The parts of a record around the magic words in it, each behind its head."""
    words = np.frombuffer(content, dtype="<u4", count=len(content) // WORD)
    first, part = 0, FIRST
    for place in (np.flatnonzero(words == MAGIC) * WORD).tolist():
        yield _head(part, place - first) + content[first:place]
        first, part = place + WORD, MIDDLE
    yield _head(LAST, len(content) - first) + content[first:] + bytes(-len(content) % WORD)
