"""The lines of a log of any length, in bounded memory."""

from collections.abc import Iterator
from pathlib import Path

LONGEST = 1 << 16
"""Characters of a line; what a longer one has beyond is a line of its own."""


def read(path: Path) -> Iterator[str]:
    """Yield the lines that came to their end, without that; bytes that are no UTF-8 are replaced.

    A carriage return ends a line too: a bar is drawn over itself, and in an epoch of some minutes
    longer than any line may be.
    """
    with path.open(encoding="utf-8", errors="replace") as file:
        while line := file.readline(LONGEST):
            if line.endswith("\n"):
                yield line[:-1]
            elif len(line) == LONGEST:
                yield line
