"""Lines on standard error, of which the last one may stand still at a terminal."""

import os
import sys
from shutil import get_terminal_size
from typing import TextIO

CLEAR_LINE = "\r\x1b[K"


def own(line: str) -> str:
    """A line of trainmark's own for standard error, in the place of a line that stands there."""
    return f"{_clear(sys.stderr)}trainmark: {line}"


def tell(line: str) -> None:
    """Write such a line."""
    print(own(line), file=sys.stderr, flush=True)


class StandingLine:
    """A line at the foot of a terminal, and lines above it; of a file only the latter."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""

    def say(self, line: str) -> None:
        """Write a line above."""
        self._write(f"{_clear(self._stream)}{line}\n{self._text}")

    def stand(self, text: str) -> None:
        """Put a text in the place of the one that stands; an empty one leaves nothing."""
        if not _is_terminal(self._stream):
            return
        self._text = text[: get_terminal_size().columns - 1]
        self._write(CLEAR_LINE + self._text)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _clear(stream: TextIO) -> str:
    return CLEAR_LINE if _is_terminal(stream) else ""


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"
