"""Files that tests of data sets pack, and what folders and splits hold."""

import io
import tarfile
import zipfile
from pathlib import Path

import numpy as np

from trainmark.data.obtain.transfer import Retries
from trainmark.data.read import chunks

RETRIES = Retries(attempts=1, pause_seconds=0.001, silence_seconds=1.0)
"""Of downloads that succeed at once, or never."""


def tarred(files: dict[str, bytes]) -> bytes:
    """A compressed tar archive of some files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip file of some files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def files_in(folder: Path) -> dict[str, bytes]:
    """The content of all files in a folder, by their paths there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def read_split(dataset: str, source: Path, split: str = "train") -> tuple[np.ndarray, np.ndarray]:
    """All images of a split, and their labels."""
    images, labels = zip(*chunks.read(dataset, source, split), strict=True)
    return np.concatenate(images), np.concatenate(labels)
