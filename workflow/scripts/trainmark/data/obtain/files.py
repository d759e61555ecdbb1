"""The expected properties of a file, and the check that a file has them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.study import datasets, plugins


class WrongFile(TrainmarkError):
    """A file that is not the one that was expected."""


@dataclass(frozen=True)
class SourceFile:
    """One official file of a data set, as its plug-in states it in SOURCE_FILES."""

    name: str
    bytes: int
    sha256: str
    urls: tuple[str, ...]
    members: Mapping[str, str]
    """For an archive: the files wanted of it and the official md5 of each."""


def source_files(dataset: str) -> list[SourceFile]:
    """The files a data set is made of; none where it needs no download."""
    facts = plugins.facts("data set", datasets.facts(dataset).plugin)
    return [_source_file(fact) for fact in facts["SOURCE_FILES"]]


def _source_file(fact: dict[str, Any]) -> SourceFile:
    return SourceFile(**{"members": {}, **fact})


def digest(path: Path, algorithm: str) -> str:
    """The checksum of a file as hexadecimal text."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def check_size(path: Path, file: SourceFile) -> None:
    """Raise WrongFile unless the file at `path` has the size of `file`."""
    if (found := path.stat().st_size) != file.bytes:
        raise WrongFile(f"has {found} bytes instead of {file.bytes}")


def check(path: Path, file: SourceFile) -> None:
    """Raise WrongFile unless the file at `path` has the size and the checksum of `file`."""
    check_size(path, file)
    if (found := digest(path, "sha256")) != file.sha256:
        raise WrongFile(f"has sha256 {found} instead of {file.sha256}")


def is_right(path: Path, file: SourceFile) -> bool:
    """Whether the file at `path` is there and is `file`."""
    if not path.is_file():
        return False
    try:
        check(path, file)
    except WrongFile:
        return False
    return True
