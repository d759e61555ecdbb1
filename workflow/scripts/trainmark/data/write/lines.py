"""Files of lines from an interrupted writer: the last line may be incomplete."""

import os
from collections.abc import Iterable
from pathlib import Path


def whole(path: Path) -> list[bytes]:
    """The lines that end with their line break; none where there is no file."""
    content = path.read_bytes() if path.exists() else b""
    return content[: content.rfind(b"\n") + 1].splitlines(keepends=True)


def cut(path: Path, kept: Iterable[bytes]) -> None:
    """Shorten the file, which is made where there is none, to the lines it begins with."""
    path.touch()
    os.truncate(path, sum(map(len, kept)))
