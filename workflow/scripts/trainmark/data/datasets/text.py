"""Text: any folder of text files, the last tenth of their bytes for testing."""

from collections.abc import Iterator
from pathlib import Path

from trainmark.data.errors import DataError
from trainmark.data.read import text
from trainmark.data.read.chunks import Chunk
from trainmark.data.read.source_record import linked_files

TRAIN_COUNT = None
TEST_COUNT = None
SOURCE_FILES = ()
LINKED_FILES = "**/*.txt"
HOW_TO_GET = "name the folder of its text files under {key}"


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield the split's windows; the files follow each other by their names.

    Raises DataError for a folder without text, or with too little for a window.
    """
    folder = source.resolve()
    content = b"".join((folder / name).read_bytes() for name in linked_files(folder, LINKED_FILES))
    if not content:
        raise DataError(f"there is no text in {LINKED_FILES} of {folder}")
    end = len(content) * 9 // 10
    yield from text.windows(content[:end] if split == "train" else content[end:])
