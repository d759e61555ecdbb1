"""CIFAR-10: 60,000 colour images of 32x32 pixels in 10 classes.

A. Krizhevsky (2009), Learning multiple layers of features from tiny images;
https://www.cs.toronto.edu/~kriz/cifar.html, the Python version.
"""

from collections.abc import Iterator
from pathlib import Path

from trainmark.data import sources
from trainmark.data.read import cifar
from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (3, 32, 32)
CLASSES = 10
TRAIN_COUNT = 50000
TEST_COUNT = 10000
SOURCE_FILES = (
    {
        "name": "cifar-10-python.tar.gz",
        "bytes": 170498071,
        "sha256": "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
        "urls": ("https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",),
        "members": {
            "cifar-10-batches-py/data_batch_1": "c99cafc152244af753f735de768cd75f",
            "cifar-10-batches-py/data_batch_2": "d4bba439e000b95fd0a9bffe97cbabec",
            "cifar-10-batches-py/data_batch_3": "54ebc095f3ab1f0389bbae665268c751",
            "cifar-10-batches-py/data_batch_4": "634d18415352ddfa80567beed471001a",
            "cifar-10-batches-py/data_batch_5": "482c414d41f54cd18b22e5b47cb7c3cb",
            "cifar-10-batches-py/test_batch": "40351d587109b95175f43aff81a1287e",
        },
    },
)

PREFIXES = {"train": "data_batch", "test": "test_batch"}


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield one batch file of 10,000 images after another, as far as the download found them."""
    for path in sources.recorded(source):
        if path.name.startswith(PREFIXES[split]):
            yield from cifar.read(path, b"labels")
