"""Tiny Shakespeare: 1,115,394 bytes of his plays, the first nine tenths for training.

A. Karpathy (2015), https://github.com/karpathy/char-rnn.
"""

from collections.abc import Iterator
from pathlib import Path

from trainmark.data.read import text
from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (1, 1, 128)
CLASSES = 256
TRAIN_COUNT = 7842
TEST_COUNT = 871
SOURCE_FILES = (
    {
        "name": "input.txt",
        "bytes": 1115394,
        "sha256": "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
        "urls": (
            "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
        ),
    },
)

SPLITS = {"train": slice(0, 1003854), "test": slice(1003854, None)}


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the split's windows."""
    return text.windows((source / "input.txt").read_bytes()[SPLITS[split]])
