"""MNIST: 70,000 handwritten digits of 28x28 grey pixels.

Y. LeCun, L. Bottou, Y. Bengio, P. Haffner (1998), Gradient-based learning applied to document
recognition; http://yann.lecun.com/exdb/mnist/, which no longer hands out the files itself.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from trainmark.data.read import idx
from trainmark.data.read.chunks import CHUNK_IMAGES, Chunk

IMAGE_SHAPE = (1, 28, 28)
CLASSES = 10
TRAIN_COUNT = 60000
TEST_COUNT = 10000
SOURCE_FILES = (
    {
        "name": "train-images-idx3-ubyte.gz",
        "bytes": 9912422,
        "sha256": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        "urls": (
            "https://ossci-datasets.s3.amazonaws.com/mnist/train-images-idx3-ubyte.gz",
            "https://storage.googleapis.com/cvdf-datasets/mnist/train-images-idx3-ubyte.gz",
        ),
    },
    {
        "name": "train-labels-idx1-ubyte.gz",
        "bytes": 28881,
        "sha256": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        "urls": (
            "https://ossci-datasets.s3.amazonaws.com/mnist/train-labels-idx1-ubyte.gz",
            "https://storage.googleapis.com/cvdf-datasets/mnist/train-labels-idx1-ubyte.gz",
        ),
    },
    {
        "name": "t10k-images-idx3-ubyte.gz",
        "bytes": 1648877,
        "sha256": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        "urls": (
            "https://ossci-datasets.s3.amazonaws.com/mnist/t10k-images-idx3-ubyte.gz",
            "https://storage.googleapis.com/cvdf-datasets/mnist/t10k-images-idx3-ubyte.gz",
        ),
    },
    {
        "name": "t10k-labels-idx1-ubyte.gz",
        "bytes": 4542,
        "sha256": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        "urls": (
            "https://ossci-datasets.s3.amazonaws.com/mnist/t10k-labels-idx1-ubyte.gz",
            "https://storage.googleapis.com/cvdf-datasets/mnist/t10k-labels-idx1-ubyte.gz",
        ),
    },
)

PREFIXES = {"train": "train", "test": "t10k"}


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the split's images and labels in their stored order."""
    prefix = PREFIXES[split]
    images = idx.read(source / f"{prefix}-images-idx3-ubyte.gz", rows=CHUNK_IMAGES)
    labels = idx.read(source / f"{prefix}-labels-idx1-ubyte.gz", rows=CHUNK_IMAGES)
    for some_images, some_labels in zip(images, labels, strict=True):
        yield some_images[:, np.newaxis], some_labels.astype(np.int64)
