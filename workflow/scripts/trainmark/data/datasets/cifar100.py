"""CIFAR-100: 60,000 colour images of 32x32 pixels in 100 classes; cifar100-coarse has 20.

A. Krizhevsky (2009), Learning multiple layers of features from tiny images;
https://www.cs.toronto.edu/~kriz/cifar.html, the Python version, with the archive's md5
(eb9058c3a382ffc7106e4002c42a8d85). Those of its files are torchvision's, the sha256 is Keras's.
"""

from collections.abc import Iterator
from pathlib import Path

from trainmark.data import sources
from trainmark.data.read import cifar
from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (3, 32, 32)
CLASSES = 100
TRAIN_COUNT = 50000
TEST_COUNT = 10000
SOURCE_FILES = (
    {
        "name": "cifar-100-python.tar.gz",
        "bytes": 169001437,
        "sha256": "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
        "urls": ("https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz",),
        "members": {
            "cifar-100-python/train": "16019d7e3df5f24257cddd939b257f8d",
            "cifar-100-python/test": "f0ef6b0ae62326f3e7ffdfab6717acfc",
        },
    },
)


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the images of a split with the numbers of their classes (fine_labels)."""
    for path in sources.recorded(source):
        if path.name == split:
            yield from cifar.read(path, b"fine_labels")
