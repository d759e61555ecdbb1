"""Tokens: text cut into windows of another number of bytes."""

from collections.abc import Iterator

from trainmark.data.read import text
from trainmark.data.read.chunks import Chunk, Splits
from trainmark.study.datasets import DataSetFacts

NAME = "tokens<tokens>"
OF = ("sentences", "shakespeare", "text8", "enwik8", "text")


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield windows of the wanted length of the text that the base's windows are cut from."""
    return text.windows(text.joined(base(split)), wanted.image_shape[2])
