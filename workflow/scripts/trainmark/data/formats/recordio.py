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
from trainmark.data.columns import Bytes, table
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
            records = framed(_contents(number, images, labels))
            sizes = [len(record) for record in records]
            places = place + np.cumsum([0, *sizes])
            index.writelines(f"{number + i}\t{at}\n" for i, at in enumerate(places[:-1].tolist()))
            file.write(b"".join(records))
            number, place = number + len(records), int(places[-1])


def framed(contents: Bytes) -> list[memoryview | bytes]:
    """Contents (n, bytes) of the same length as framed records."""
    count, size = contents.shape
    padding = bytes(-size % WORD)
    head = _head(WHOLE, size)
    records = table(count, head, contents, padding)
    words = records[:, HEAD_BYTES : HEAD_BYTES + size // WORD * WORD].view("<u4")
    framed: list[memoryview | bytes] = [record.data for record in records]
    for place in np.flatnonzero((words == MAGIC).any(axis=1)).tolist():
        framed[place] = b"".join(_split(contents[place].tobytes()))
    return framed


def _contents(first: int, images: Bytes, labels: NDArray[np.int64]) -> Bytes:
    """The IRHeader (flag, label, number, second number) and the image of each record."""
    numbers = np.arange(first, first + len(labels), dtype="<u8")
    columns = (_bytes(labels.astype("<f4")), _bytes(numbers), bytes(8), png.stored(images))
    return table(len(labels), bytes(4), *columns)


def _bytes(values: NDArray[np.generic]) -> Bytes:
    return values.view(np.uint8).reshape(len(values), -1)


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
