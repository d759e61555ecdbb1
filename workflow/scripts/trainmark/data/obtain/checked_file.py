"""The expected properties of a file, and the check that a file has them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.files import file_digest
from trainmark.study import datasets, plugins


class WrongFile(TrainmarkError):
    """A file that is not the one that was expected."""


@dataclass(frozen=True)
class Tree:
    """A folder of an archive that is wanted with all files of a kind in it."""

    name: str
    """Under which it is kept, whatever it is called in the archive."""
    files: str
    """The pattern of these files, from that folder on."""
    nested: str | None = None
    """The name of an archive within the archive that it is in."""
    sha256: str | None = None
    """SHA-256 over the names and contents of all files; None where the archive's is enough."""


@dataclass(frozen=True)
class SourceFile:
    """One official file of a data set, as its plug-in states it in SOURCE_FILES."""

    name: str
    bytes: int | None
    """None where no size is published, and then no sha256 either: an archive of checked files."""
    sha256: str | None
    urls: tuple[str, ...]
    members: Mapping[str, str] = field(default_factory=dict)
    """The wanted files of an archive, with the official md5 of each."""
    tree: Tree | None = None
    """The wanted folder of an archive, instead of single files."""

    @property
    def size_in_words(self) -> str:
        """Its size for messages."""
        return "size unknown" if self.bytes is None else f"{self.bytes / 1e6:.1f} MB"


def source_files(dataset: str) -> list[SourceFile]:
    """The files a data set is made of; none where it needs no download."""
    facts = plugins.facts("data set", datasets.facts(dataset).plugin)
    return [_source_file(fact) for fact in facts["SOURCE_FILES"]]


def _source_file(fact: dict[str, Any]) -> SourceFile:
    tree = Tree(**fact["tree"]) if "tree" in fact else None
    return SourceFile(**{**fact, "tree": tree})


def check_size(path: Path, file: SourceFile) -> None:
    """Raise WrongFile unless the file at `path` has the size of `file`, where that is known."""
    if (actual := path.stat().st_size) != file.bytes and file.bytes is not None:
        raise WrongFile(f"has {actual} bytes instead of {file.bytes}")


def check(path: Path, file: SourceFile) -> None:
    """Raise WrongFile unless the file at `path` has the size and checksum that `file` states."""
    check_size(path, file)
    if file.sha256 and (actual := file_digest(path)) != file.sha256:
        raise WrongFile(f"has sha256 {actual} instead of {file.sha256}")


def is_right(path: Path, file: SourceFile) -> bool:
    """Whether the file at `path` is there and is `file`."""
    if not path.is_file():
        return False
    try:
        check(path, file)
    except WrongFile:
        return False
    return True
