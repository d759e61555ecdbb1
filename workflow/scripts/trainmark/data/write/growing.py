"""A file that is appended to by a background thread."""

import hashlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

PIECE_BYTES = 1 << 16
"""Bytes of one write: Linux allocates its page cache in one piece, and larger ones more slowly."""


class GrowingFile(AbstractContextManager["GrowingFile"]):
    """A file that a separate thread writes to, and whose digest it computes.

    When it is closed, `sha256` is that digest. All methods raise OSError where what was appended
    before could not be written.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._digest = hashlib.file_digest(file, "sha256")
        self._file = path.open("ab")
        self._thread = ThreadPoolExecutor(1)
        self._last: Future[None] = self._thread.submit(lambda: None)

    def append(self, block: bytes, then: Callable[[], None]) -> None:
        """Have a block written, when the one before it is, and something called after that."""
        self._last.result()
        self._last = self._thread.submit(self._write, block, then)

    def _write(self, block: bytes, then: Callable[[], None]) -> None:
        whole = memoryview(block)
        for start in range(0, len(block), PIECE_BYTES):
            self._file.write(whole[start : start + PIECE_BYTES])
        self._file.flush()
        then()
        self._digest.update(block)

    def __exit__(self, *failure: object) -> None:
        """Wait for what is still to be written, and close the file."""
        with self._file, self._thread:
            self._last.result()
        self.sha256 = self._digest.hexdigest()
