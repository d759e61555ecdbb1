"""The disk that data sets are written to."""

import shutil
from pathlib import Path

from trainmark.errors import TrainmarkError


class StorageError(TrainmarkError):
    """The destination can't take a file: no other source of it would help."""


def make_room(folder: Path, needed_bytes: int) -> None:
    """Make the folder; raise StorageError where that fails or its disk has too little space."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free_bytes = shutil.disk_usage(folder).free
    except OSError as error:
        raise StorageError(f"can't use the folder {folder}: {error.strerror}") from error
    if free_bytes < needed_bytes:
        raise StorageError(
            f"{folder} has {free_bytes / 1e6:.1f} MB free where {needed_bytes / 1e6:.1f} MB are "
            "needed; nothing was fetched"
        )
