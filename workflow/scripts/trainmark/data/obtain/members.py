"""The needed members of an archive, from its official URL or from a mirror.

A mirror may hold the official archive, a folder into which it was unpacked, or another archive
of the same layout and a similar name. Only the members are kept. Each member has its own official
checksum, so that its source doesn't matter.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from trainmark.data.obtain.addresses import DownloadError
from trainmark.data.obtain.archives import SUFFIXES, unpack
from trainmark.data.obtain.checked_file import SourceFile, WrongFile
from trainmark.data.obtain.download import first_that_works
from trainmark.data.obtain.storage import make_room
from trainmark.data.obtain.transfer import Retries, transfer
from trainmark.files import file_digest
from trainmark.study.mirrors import local_path

UNPACKED = ".unpacked"


def obtain_members(
    file: SourceFile, mirrors: Sequence[str], folder: Path, subset: bool, retries: Retries
) -> list[str]:
    """Bring the needed members of `file` into `folder`; returns the names of the present ones.

    Raises DownloadError or StorageError; without `subset`, a source must have all members.
    """
    if present(file, folder) != list(file.members):
        part = folder / f"{file.name}.part"
        make_room(folder, 2 * (file.bytes or 0))
        ways = [
            (address, partial(_adopt, file, address, part, subset, retries))
            for address in addresses(file, mirrors, list(file.members))
        ]
        first_that_works(file.name, ways, part)
    return present(file, folder)


def present(file: SourceFile, folder: Path) -> list[str]:
    """The needed members that are in `folder` with the right checksum."""
    return [name for name in file.members if _is_right(file, name, folder)]


def _is_right(file: SourceFile, name: str, folder: Path) -> bool:
    path = folder / name
    return path.is_file() and file_digest(path, "md5") == file.members[name]


def addresses(file: SourceFile, mirrors: Sequence[str], content: Sequence[str]) -> list[str]:
    """Where an archive or its content may be: in the mirrors, then at its own URLs.

    A folder with files that match one of the patterns `content` counts as an unpacked archive.
    """
    return [address for mirror in mirrors for address in _addresses(file, mirror, content)] + [
        *file.urls
    ]


def _addresses(file: SourceFile, mirror: str, content: Sequence[str]) -> list[str]:
    local = local_path(mirror)
    if local is None or (local / file.name).exists():
        return [f"{mirror.rstrip('/')}/{file.name}"]
    if local.is_file() or any(any(local.glob(pattern)) for pattern in content):
        return [str(local)]
    suffix = next(suffix for suffix in SUFFIXES if file.name.endswith(suffix))
    similar = local.glob(f"{file.name.removesuffix(suffix)}*{suffix}")
    return sorted(map(str, similar)) or [str(local / file.name)]


def _adopt(file: SourceFile, address: str, part: Path, subset: bool, retries: Retries) -> None:
    """Unpack the archive at `address`, check the members and move them to the folder of `part`."""
    with unpacked(file, address, part, retries) as content:
        if content == local_path(address):
            content = _copy_members(file, content, part.with_name(UNPACKED))
        _move_members(file, content, part.parent, subset)


@contextmanager
def unpacked(file: SourceFile, address: str, part: Path, retries: Retries) -> Iterator[Path]:
    """The folder with the content at `address`: unpacked beside `part`, or a mirror's own folder.

    A folder beside `part` is removed afterwards. Raises DownloadError if `address` doesn't exist,
    and the errors of `transfer` and `unpack`.
    """
    folder, local = part.with_name(UNPACKED), local_path(address)
    try:
        if local is None:
            transfer(file, address, part, retries)
            _unpack_and_remove(part, folder)
        elif not local.exists():
            raise DownloadError("there is no such file")
        elif not local.is_dir():
            unpack(local, folder)
        yield local if local and local.is_dir() else folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unpack_and_remove(archive: Path, folder: Path) -> None:
    try:
        unpack(archive, folder)
    finally:
        archive.unlink()


def _copy_members(file: SourceFile, origin: Path, target: Path) -> Path:
    for name in file.members:
        if (origin / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin / name, target / name)
    return target


def _move_members(file: SourceFile, unpacked: Path, folder: Path, subset: bool) -> None:
    present_names = [name for name in file.members if (unpacked / name).is_file()]
    missing = [Path(name).name for name in file.members if name not in present_names]
    if missing and not (subset and present_names):
        raise WrongFile(
            f"lacks {', '.join(missing)}; list the data set under machine.subset to measure on "
            "a part of it"
        )
    if wrong := [name for name in present_names if not _is_right(file, name, unpacked)]:
        raise WrongFile(f"its {', '.join(wrong)} has not the official md5")
    for name in present_names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (unpacked / name).replace(folder / name)
