"""The files of a converted split: their number of bytes and their digest, and damage to them."""

import hashlib
import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.files import DamagedFile

LOCK = "lock.mdb"
"""A file that LMDB adds to a database when it is opened."""

log = logging.getLogger(__name__)


def entry(path: Path, folder: Path, count: int, sha256: str | None = None) -> dict[str, Any]:
    """The index's entry of a split of `count` images; its files are then synced to the disk.

    Size and digest are those of the file `path`, of the files in the split's `folder`, or of both.
    Runs depend on the digest, so that images with other bytes are other data. Without `sha256`,
    the digest is computed from the files.
    """
    files = _files(path, folder)
    sync(files)
    stored_bytes = _bytes(files)
    log.info("%s: %d images, %d bytes", path.name, count, stored_bytes)
    return {
        "count": count,
        "path": path.name,
        "bytes": stored_bytes,
        "sha256": sha256 or _digest(files),
    }


def sync(files: Iterable[Path]) -> None:
    """Have files written to the disk."""
    for file in files:
        with file.open("rb") as opened:
            os.fsync(opened.fileno())


def check_sizes(index: Path, splits: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise DamagedFile where a split has other bytes than its entry in the index beside it."""
    for name, split in splits.items():
        present = _bytes(_files(index.parent / split["path"], index.parent / name))
        if present != split["bytes"]:
            expected = split["bytes"]
            raise DamagedFile(index, f"its {name} images have {present} of {expected} bytes")


def _files(path: Path, folder: Path) -> list[Path]:
    files = (path, *sorted(folder.glob("*")))
    return [file for file in files if file.is_file() and file.name != LOCK]


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            hashlib.file_digest(opened, lambda: digest)
    return digest.hexdigest()
