"""Messages on standard error, and a status line that stays at the foot of a terminal."""

import os
import sys
from shutil import get_terminal_size
from typing import TextIO

PREFIX = "trainmark: "
CLEAR_LINE = "\r\x1b[K"


def prefixed(message: str) -> str:
    """A message of trainmark's for standard error; on a terminal it replaces a status line."""
    return f"{_clear(sys.stderr)}{PREFIX}{message}"


def print_message(message: str) -> None:
    """Print a message of trainmark's to standard error."""
    print(prefixed(message), file=sys.stderr, flush=True)


class StatusLine:
    """A status line at the foot of a terminal, and lines above it; of a file only the latter."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""

    def print_above(self, line: str) -> None:
        """Print a line above the status line."""
        self._write(f"{_clear(self._stream)}{line}\n{self._text}")

    def show(self, text: str) -> None:
        """Replace the status line; an empty text removes it."""
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
