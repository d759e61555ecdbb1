"""Text as images of one row of bytes, each labelled with the byte that follows it."""

from collections.abc import Iterator

import numpy as np

from trainmark.data.errors import DataError
from trainmark.data.read.chunks import CHUNK_IMAGES, Chunk, cut

TOKENS = 128
"""The usual number of bytes of a window."""
MAHONEY = {"train": slice(0, 90_000_000), "test": slice(95_000_000, None)}
"""The usual splits of M. Mahoney's 100 million bytes; those between are for validation."""


def windows(text: bytes, tokens: int = TOKENS) -> Iterator[Chunk]:
    """Yield a text's windows of `tokens` bytes, one after the other, without what is left over.

    Raises DataError for a text without a whole window and the byte behind it.
    """
    if len(text) <= tokens:
        raise DataError(f"a text of {len(text)} bytes has no window of {tokens} and a next byte")
    values = np.frombuffer(text, dtype=np.uint8)
    labels = values[tokens::tokens].astype(np.int64)
    images = values[: len(labels) * tokens].reshape(-1, 1, 1, tokens)
    yield from cut((images, labels), CHUNK_IMAGES)


def joined(chunks: Iterator[Chunk]) -> bytes:
    """The text that windows were cut from, without what was left over."""
    images, labels = map(np.concatenate, zip(*chunks, strict=True))
    return images.tobytes() + bytes([labels[-1]])
