"""Generated: a data set of generated image files.

They are as large as those of ILSVRC12, about 500x375 pixels and 110 kB, and about as much work to
decode: smooth shapes with some noise. They are the same on every machine with the same library.
"""

import hashlib
import io
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

from trainmark.study.datasets import facts

TRAIN_COUNT = 1024
TEST_COUNT = 256
ENCODED = True
SOURCE_FILES = ()

SIZES = ((500, 375), (375, 500), (500, 333))
"""Width and height."""
SHAPES = 12
"""How many of them a picture's smooth shapes are a side."""
NOISE_SIDE = 1024
NOISE = 64
"""Fine noise takes values below this."""
QUALITY = 91


class Generated:
    """Images that are generated when they are read."""

    def __init__(self, split: str, count: int, classes: int) -> None:
        self._seed = zlib.crc32(split.encode())
        random = np.random.default_rng(self._seed)
        self.labels: NDArray[np.int64] = random.integers(classes, size=count)
        self.digest = hashlib.sha256(f"{split} {count} {classes}".encode()).hexdigest()

    def __len__(self) -> int:
        """How many images there are."""
        return len(self.labels)

    def name(self, number: int) -> str:
        """A name for messages."""
        return f"made-up image {number}"

    def read(self, number: int) -> bytes:
        """Make an image, always the same for this number."""
        random = np.random.default_rng((self._seed, number))
        size = SIZES[number % len(SIZES)]
        shapes = random.integers(256, size=(SHAPES, SHAPES, 3), dtype=np.uint8)
        left, top = random.integers(NOISE_SIDE - max(map(max, SIZES)), size=2).tolist()
        noise = _noise().crop((left, top, left + size[0], top + size[1]))
        smooth = Image.fromarray(shapes).resize(size, Image.Resampling.BICUBIC)
        content = io.BytesIO()
        ImageChops.add(smooth, noise, offset=-NOISE // 2).save(content, "JPEG", quality=QUALITY)
        return content.getvalue()


def listing(source: Path, split: str) -> Generated:
    """List made-up images; the data set's name is that of the folder around `source`."""
    dataset = facts(source.parent.name)
    return Generated(split, dataset.count(split) or 0, dataset.classes)


@cache
def _noise() -> Image.Image:
    """Fine noise, larger than an image, of which each image has another part."""
    random = np.random.default_rng(0)
    return Image.fromarray(random.integers(NOISE, size=(NOISE_SIDE, NOISE_SIDE, 3), dtype=np.uint8))
