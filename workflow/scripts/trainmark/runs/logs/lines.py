"""The lines of a log of any length, in bounded memory."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import TextIO, cast

LONGEST = 1 << 16
"""Characters of a line; what a longer one has beyond is a line of its own."""

GZIP = b"\x1f\x8b"
"""How RFC 1952's files begin."""
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read(path: Path) -> Iterator[str]:
    """Yield the lines that came to their end, without that; bytes that are no text are replaced.

    The log is text in UTF-8, or in UTF-16 if it says so, as PowerShell writes it, or such a text
    compressed by gzip; a damaged one ends where it can't be read. A carriage return ends a line
    too: a bar is drawn over itself, and in an epoch of some minutes longer than any line may be.
    """
    try:
        with _opened(path) as file:
            while line := file.readline(LONGEST):
                if line.endswith("\n"):
                    yield line[:-1]
                elif len(line) == LONGEST:
                    yield line
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return


def _opened(path: Path) -> TextIO:
    opened = gzip.open if _start(path.open("rb")) == GZIP else open
    encoding = "utf-16" if _start(opened(path, "rb")) in WIDE else "utf-8-sig"
    return cast(TextIO, opened(path, "rt", encoding=encoding, errors="replace"))


def _start(file: BufferedIOBase) -> bytes:
    """The two bytes by which a file says what it is."""
    with file:
        return file.read(2)
