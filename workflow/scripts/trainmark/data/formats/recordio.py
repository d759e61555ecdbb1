"""RecordIO with an index, which MXNet reads; its image iterator wants encoded images: PNG, JPEG.

A record is the magic word, a word with the length, an IRHeader, the image, zeros up to a word.
Where the content itself holds the magic word at a word's offset, the record is split there and
the word left out, so that a reader can find the next record from anywhere.

Sources: https://github.com/dmlc/dmlc-core/blob/main/include/dmlc/recordio.h and
https://github.com/apache/mxnet/blob/v1.x/python/mxnet/recordio.py.
"""

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import accumulate, chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trainmark.data.read.chunks import Chunk
from trainmark.data.write import lines, png
from trainmark.data.write.columns import Bytes, as_bytes, rows, table
from trainmark.data.write.encoded import Image
from trainmark.data.write.growing import GrowingFile
from trainmark.data.write.protobuf import blocks

ENCODING = "png"
SUFFIX = ".rec"

MAGIC = 0xCED7230A
MAGIC_BYTES = struct.pack("<I", MAGIC)
WORD = 4
HEAD_BYTES = 2 * WORD
WHOLE, FIRST, MIDDLE, LAST = range(4)
"""The part of a record that follows a head."""
PART_BITS = 29
HEADER = struct.Struct("<IfQQ")
"""The IRHeader of a record: flag, label, number, second number."""


def write(chunks: Iterable[Chunk], path: Path, shape: tuple[int, int, int]) -> None:
    """Write images of `shape` (C, H, W) as `path` (.rec) with its index (.idx) beside it.

    Raises png.ChannelsError for images that are neither grey nor RGB, and OSError.
    """
    with ImageWriter(path) as writer:
        for images, labels in blocks(chunks):
            records = framed(_header(writer.written, labels), png.stored(images))
            writer.add([len(record) for record in records], records)


class ImageWriter(AbstractContextManager["ImageWriter"]):
    """Adds image files to `path` (.rec) and their offsets to its index (.idx).

    A record that an interrupted writer left is known to be whole when the index names the offset
    of the next one and the file reaches to it; what follows is cut off. When it is closed, `sha256`
    is the digest of `path`. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        index = path.with_suffix(".idx")
        listed = lines.whole(index)
        offsets = [int(line.split()[1]) for line in listed]
        path.touch()
        size = path.stat().st_size
        self.written = max(0, sum(offset <= size for offset in offsets) - 1)
        lines.cut(index, listed[: self.written])
        self._size = offsets[self.written] if self.written else 0
        os.truncate(path, self._size)
        self._index, self._records = index.open("ab"), GrowingFile(path)

    def append(self, images: Sequence[Image]) -> None:
        """Add a block of images."""
        records = [_record(number, image) for number, image in enumerate(images, self.written)]
        sizes = [sum(map(len, record)) for record in records]
        self.add(sizes, chain.from_iterable(records))

    def add(self, sizes: Sequence[int], parts: Iterable[bytes | memoryview]) -> None:
        """Add a block of records of these sizes, and only when they are there, their offsets."""
        *offsets, self._size = accumulate(sizes, initial=self._size)
        numbered = zip(range(self.written, self.written + len(sizes)), offsets, strict=True)
        entries = b"".join(b"%d\t%d\n" % entry for entry in numbered)
        self._records.append(b"".join(parts), then=partial(self._list, entries))
        self.written += len(sizes)

    def _list(self, entries: bytes) -> None:
        self._index.write(entries)
        self._index.flush()

    def __exit__(self, *failure: object) -> None:
        """Close both files, and have the digest of the first."""
        with self._index, self._records:
            pass
        self.sha256 = self._records.sha256


def framed(*contents: Bytes) -> list[memoryview]:
    """Records of contents (n, bytes) that are joined from several columns."""
    count, size = len(contents[0]), sum(column.shape[1] for column in contents)
    records = table(count, _head(WHOLE, size), *contents, bytes(-size % WORD))
    words = records[:, HEAD_BYTES : HEAD_BYTES + size // WORD * WORD].view("<u4")
    framed = rows(records)
    for offset in np.flatnonzero((words == MAGIC).any(axis=1)).tolist():
        content = records[offset, HEAD_BYTES : HEAD_BYTES + size].tobytes()
        framed[offset] = memoryview(_split(content))
    return framed


def _record(number: int, image: Image) -> Sequence[bytes]:
    """The pieces of a record: joining them would copy the image once more."""
    header, content = HEADER.pack(0, image.label, number, 0), image.content
    if np.count_nonzero(_words(content) == MAGIC) or MAGIC_BYTES in header:
        return (_split(header + content),)
    size = len(header) + len(content)
    return _head(WHOLE, size), header, content, bytes(-size % WORD)


def _header(first: int, labels: NDArray[np.int64]) -> Bytes:
    """HEADER of each record."""
    numbers = np.arange(first, first + len(labels))
    return table(len(labels), bytes(4), as_bytes(labels, "<f4"), as_bytes(numbers, "<u8"), bytes(8))


def _head(part: int, size: int) -> bytes:
    return struct.pack("<II", MAGIC, part << PART_BITS | size)


def _split(content: bytes) -> bytes:
    """A record in parts, if need be: those around the magic words in it, each behind its head."""
    return b"".join(_parts(content))


def _words(content: bytes) -> NDArray[np.uint32]:
    return np.frombuffer(content, dtype="<u4", count=len(content) // WORD)


def _parts(content: bytes) -> Iterator[bytes]:
    first, part, last = 0, FIRST, WHOLE
    for offset in (_words(content) == MAGIC).nonzero()[0].tolist():
        end = offset * WORD
        yield from (_head(part, end - first), content[first:end])
        first, part, last = end + WORD, MIDDLE, LAST
    yield from (_head(last, len(content) - first), content[first:], bytes(-len(content) % WORD))
