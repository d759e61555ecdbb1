"""Padded: zeros around each image, equally many on both sides; of an odd number one more behind.

32x32 of MNIST is the layout of Torch's files (mnist.t7), two zeros on each side:
https://github.com/torch/demos/blob/master/train-a-digit-classifier/train-on-mnist.lua
"""

from collections.abc import Iterator

import numpy as np

from trainmark.data.read.chunks import Chunk, Splits
from trainmark.study.datasets import DataSetFacts

NAME = "<height>x<width>"


def read(base: Splits, split: str, wanted: DataSetFacts) -> Iterator[Chunk]:
    """Yield the base's chunks with images of the wanted height and width."""
    for images, labels in base(split):
        sides = zip(images.shape[2:], wanted.image_shape[1:], strict=True)
        padding = [((after - now) // 2, (after - now + 1) // 2) for now, after in sides]
        yield np.pad(images, ((0, 0), (0, 0), *padding)), labels
