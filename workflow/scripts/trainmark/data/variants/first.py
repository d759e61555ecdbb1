"""First: of the training images the first ones, in their stored order; all test images."""

from collections.abc import Iterator

from trainmark.data.read.chunks import Chunk, Splits, part
from trainmark.study.datasets import DataSetFacts

NAME = "first<train_count>"


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield the base's chunks up to the last image that is wanted."""
    return part(base(split), 0, wanted.train_count) if split == "train" else base(split)
