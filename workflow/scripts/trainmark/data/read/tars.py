"""The positions of the files in a tar file, from its headers: nothing is unpacked or copied.

Source: https://www.gnu.org/software/tar/manual/html_node/Standard.html.
"""

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from trainmark.data.errors import DataError


class Member(NamedTuple):
    """A file in a tar file: its name without folders, where it begins and how long it is.

    `mtime_ns` is when the tar file changed last, in nanoseconds.
    """

    name: str
    offset: int
    bytes: int
    mtime_ns: int


def members(archive: Path) -> Iterator[Member]:
    """Yield the files in an uncompressed tar file; raises DataError where it is damaged."""
    status = archive.stat()
    whole = Member(archive.name, 0, status.st_size, status.st_mtime_ns)
    yield from members_within(archive, whole)


def members_within(archive: Path, part: Member) -> Iterator[Member]:
    """Yield the files in a tar file that is itself a part of `archive`.

    Names beyond 100 bytes are cut: no data set has them.
    """
    end = part.offset + part.bytes
    with archive.open("rb", buffering=0) as file:
        offset = part.offset
        while offset < end and (header := _header(archive, file.fileno(), offset)):
            offset += tarfile.BLOCKSIZE
            if header.isreg():
                yield Member(header.name.rpartition("/")[2], offset, header.size, part.mtime_ns)
            offset += -(-header.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
    if offset > end:
        raise DataError(f"{archive}: ends within its last file; fetch it anew")


def _header(archive: Path, file: int, offset: int) -> tarfile.TarInfo | None:
    """The header at an offset, or None at the end of the tar file."""
    content = os.pread(file, tarfile.BLOCKSIZE, offset)
    try:
        return tarfile.TarInfo.frombuf(content, tarfile.ENCODING, "surrogateescape")
    except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
        return None
    except tarfile.HeaderError as error:
        raise DataError(f"{archive}: no tar file, or a damaged one ({error})") from error
