"""Enwik8: the first 100 million bytes of Wikipedia, with markup, 90 million of them for training.

M. Mahoney (2006), http://mattmahoney.net/dc/textdata.html; the last 5 million are the test split,
those before them are left for validation.
"""

from collections.abc import Iterator
from pathlib import Path

from trainmark.data.read import text
from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (1, 1, 128)
CLASSES = 256
TRAIN_COUNT = 703124
TEST_COUNT = 39062
SOURCE_FILES = (
    {
        "name": "enwik8.zip",
        "bytes": 36445475,
        "sha256": "547994d9980ebed1288380d652999f38a14fe291a6247c157c3d33d4932534bc",
        "urls": ("http://mattmahoney.net/dc/enwik8.zip",),
        "members": {"enwik8": "a1fa5ffddb56f4953e226637dabbb36a"},
    },
)


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the split's windows."""
    return text.windows((source / "enwik8").read_bytes()[text.MAHONEY[split]])
