"""Files in which Linux and its distribution describe this machine and this process."""

from pathlib import Path


def text(path: Path) -> str:
    """A file's content, "" where it can't be read; the names of programs in it needn't be UTF-8."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
