"""A result set in one zip archive, which is checked before anything in it is used.

The archive holds a bag. It depends on the files' names and contents alone, not on times, owners or
the order of a folder, so that the same results give the same archive. It is never unpacked:
readers take single files into memory. Digests reveal damage and single replaced files; they don't
reveal invented results, whose digests fit. scripts/archive.py chooses the files.
"""

import hashlib
import stat
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from trainmark.data.obtain.archives import BLOCK_BYTES, check_zip_member
from trainmark.errors import TrainmarkError
from trainmark.files import BROKEN_ZIP
from trainmark.packed import bag
from trainmark.runs.formats import FORMAT, checked

FORMAT_LABEL = "Trainmark-Results"
"""The format of what an archive holds (trainmark.runs.formats)."""
PACKED_BY = "Bag-Software-Agent"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that zip knows
LEVEL = 6  # of the compression
MOST_EXPANSION = 200  # unpacked size over an archive's own; logs and tables have 5 to 50
BEGINNING = b"PK\x03\x04"
COMPRESSED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class PackedError(TrainmarkError):
    """An archive that is damaged, or no archive of results."""


@dataclass(frozen=True)
class Packed:
    """A checked archive, usable while it is open.

    Attributes:
        about: the values in its bag-info.txt, by label.
        format: the number of its format.
        names: the names of its files, below data/.
        source: the open archive.
        top: the folder in the archive that has everything, with a slash at its end.

    """

    about: Mapping[str, str]
    format: int
    names: Sequence[str]
    source: zipfile.ZipFile
    top: str

    def read(self, name: str) -> bytes:
        """The content of one of the files."""
        return self.source.read(f"{self.top}{bag.PAYLOAD}{name}")


def pack(files: Mapping[str, Path], about: Mapping[str, str], archive: Path) -> None:
    """Write an archive, whole or not at all; `files` are by their names in the archive.

    `about` has the values for its bag-info.txt, by label. Raises the errors of `check`.
    """
    temporary = archive.with_name(f".{archive.name}.part")
    try:
        _write(files, about, temporary, archive.stem)
        check(temporary)
        temporary.replace(archive)
    finally:
        temporary.unlink(missing_ok=True)


def _write(files: Mapping[str, Path], about: Mapping[str, str], archive: Path, top: str) -> None:
    """Write an archive whose files are in the folder `top`."""
    digests, total_bytes = {}, 0
    with zipfile.ZipFile(archive, "w") as target:
        for name in sorted(files):
            content = files[name].read_bytes()
            digests[name] = hashlib.sha256(content).hexdigest()
            total_bytes += len(content)
            _add(target, f"{top}/{bag.PAYLOAD}{name}", content)
        labels = {**about, FORMAT_LABEL: str(FORMAT)}
        for name, content in bag.tag_files(digests, total_bytes, labels).items():
            _add(target, f"{top}/{name}", content)


def check(path: Path) -> None:
    """Raise PackedError, ArchiveError or UnknownFormat, with the reason, of an invalid archive."""
    with opened(path):
        pass


@contextmanager
def opened(path: Path) -> Iterator[Packed]:
    """Open an archive and check all of it; raises the errors of `check`."""
    with path.open("rb") as stream:
        with _refused(path):
            source = _zip(stream)
        with source:
            with _refused(path):
                packed = _checked(path, source)
            yield packed


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    try:
        yield
    except (bag.Broken, *BROKEN_ZIP) as error:
        raise PackedError(f"{path} is no archive of results as `pack` makes it: {error}") from error


def _zip(stream: IO[bytes]) -> zipfile.ZipFile:
    begins_as_one = stream.read(len(BEGINNING)) == BEGINNING
    if not zipfile.is_zipfile(stream):
        raise bag.Broken("it is cut off" if begins_as_one else "it is no zip archive")
    return zipfile.ZipFile(stream)


def _checked(path: Path, source: zipfile.ZipFile) -> Packed:
    for member in source.infolist():
        check_zip_member(path, member)
    members = [member for member in source.infolist() if not member.is_dir()]
    _check_size(members, path.stat().st_size)
    top = _top(members)
    digests = {member.filename.removeprefix(top): _digest(source, member) for member in members}
    about = bag.check(digests, lambda name: source.read(top + name))
    number = checked(_number(about.get(FORMAT_LABEL)), f"{path}, packed by {about.get(PACKED_BY)},")
    payload = [name.removeprefix(bag.PAYLOAD) for name in digests if name.startswith(bag.PAYLOAD)]
    return Packed(about, number, payload, source, top)


def _number(text: str | None) -> int:
    if text is None or not text.isdecimal():
        raise bag.Broken(f"its {bag.ABOUT} has no number for {FORMAT_LABEL}")
    return int(text)


def _check_size(members: Sequence[zipfile.ZipInfo], archive_bytes: int) -> None:
    """Check the stated sizes before anything is read; zipfile never reads more than these."""
    total = sum(member.file_size for member in members)
    if total > MOST_EXPANSION * archive_bytes:
        times = total / archive_bytes
        raise bag.Broken(f"it would unpack to {total / 1e6:,.1f} MB, {times:,.0f} times its size")


def _top(members: Sequence[zipfile.ZipInfo]) -> str:
    """The folder that a bag is in, with a slash at its end."""
    names = [member.filename for member in members]
    if not names:
        raise bag.Broken("it is empty")
    if len(set(names)) < len(names):
        raise bag.Broken("it holds two files of one name")
    top = names[0].partition("/")[0] + "/"
    if f"{top}{bag.DECLARATION}" not in names:
        raise bag.Broken(f"it lacks {bag.DECLARATION!r}")
    if others := [name for name in names if not name.startswith(top)]:
        raise bag.Broken(f"it holds {others[0]!r} beside its folder {top!r}")
    return top


def _digest(source: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    if member.compress_type not in COMPRESSED:
        raise bag.Broken(f"its {member.filename!r} is compressed otherwise than by deflate")
    hasher = hashlib.sha256()
    try:
        with source.open(member) as content:
            while block := content.read(BLOCK_BYTES):
                hasher.update(block)
    except BROKEN_ZIP as error:
        raise bag.Broken(f"its {member.filename!r} can't be read ({error})") from error
    return hasher.hexdigest()


def _add(target: zipfile.ZipFile, name: str, content: bytes) -> None:
    member = zipfile.ZipInfo(name, EPOCH)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3  # always Unix, so that archives are the same
    member.external_attr = (stat.S_IFREG | 0o644) << 16
    target.writestr(member, content, compresslevel=LEVEL)
