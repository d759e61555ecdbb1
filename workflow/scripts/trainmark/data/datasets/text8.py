"""Text8: 100 million letters and spaces of Wikipedia, the first 90 million for training.

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
        "name": "text8.zip",
        "bytes": 31344016,
        "sha256": "a6640522afe85d1963ad56c05b0ede0a0c000dddc9671758a6cc09b7a38e5232",
        "urls": ("http://mattmahoney.net/dc/text8.zip",),
        "members": {"text8": "3bea1919949baf155f99411df5fada7e"},
    },
)


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the split's windows."""
    return text.windows((source / "text8").read_bytes()[text.MAHONEY[split]])
