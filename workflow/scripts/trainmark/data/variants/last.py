"""Last: of the training images the last ones, in their stored order; all test images."""

from collections.abc import Iterator

from trainmark.data.read.chunks import Chunk, Splits, part
from trainmark.study.datasets import DataSetFacts, facts

NAME = "last<train_count>"
NEEDS_COUNT = True


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield the base's chunks without the images before those that are wanted.

    Which these are goes by the number that the whole base has, also where only a part is there.
    """
    if split != "train":
        return base(split)
    whole, last = facts(wanted.base or "").train_count, wanted.train_count
    assert whole is not None and last is not None, "a base of unknown size has no such variant"
    return part(base(split), whole - last)
