"""The lines of a log of any length, in bounded memory."""

from collections.abc import Iterator
from pathlib import Path

LONGEST = 1 << 16
"""Bytes of a line; what a longer one has beyond is a line of its own."""


def read(path: Path) -> Iterator[str]:
    """Yield the lines that came to their end, without that; bytes that are no UTF-8 are replaced.

    Only "\\n" ends a line: a bar that is drawn over and over stands in one.
    """
    with path.open("rb") as file:
        while line := file.readline(LONGEST):
            if line.endswith(b"\n"):
                yield line[:-1].decode(errors="replace")
            elif len(line) == LONGEST:
                yield line.decode(errors="replace")
