"""Unpacking untrusted archives: nothing is written outside the given folder."""

import gzip
import lzma
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from trainmark.data.obtain.storage import StorageError
from trainmark.errors import TrainmarkError
from trainmark.files import DAMAGED_ZIP

BLOCK_BYTES = 2**20
BROKEN = (*DAMAGED_ZIP, tarfile.TarError, gzip.BadGzipFile, lzma.LZMAError)
"""Errors that tarfile and zipfile raise for a damaged archive."""
SUFFIXES = (".tar", ".tar.gz", ".tgz", ".zip")


class ArchiveError(TrainmarkError):
    """An archive that is damaged, or that would do more than put files into its folder."""


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a tar, tar.gz or zip archive into `folder`, which is made anew and gone on failure.

    Raises ArchiveError, which names the archive and the member, or StorageError.
    """
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True)
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, folder)
        else:
            _unpack_tar(archive, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _unpack_tar(archive: Path, folder: Path) -> None:
    def safe(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
        _check_member(archive, member.name, plain=member.isfile() or member.isdir())
        return tarfile.data_filter(member, path)

    try:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter=safe)
            _read_to_the_end(tar)
    except BROKEN as error:
        raise _damaged(archive, error) from error
    except OSError as error:
        raise _unwritable(archive, folder, error) from error


def _read_to_the_end(tar: tarfile.TarFile) -> None:
    """Have the checksum compared that gzip keeps behind the last member."""
    while tar.fileobj and tar.fileobj.read(BLOCK_BYTES):
        pass


def _unpack_zip(archive: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as content:
            for member in content.infolist():
                check_zip_member(archive, member)
            content.extractall(folder)
    except BROKEN as error:
        raise _damaged(archive, error) from error
    except OSError as error:
        raise _unwritable(archive, folder, error) from error


def check_zip_member(archive: Path, member: zipfile.ZipInfo) -> None:
    """Raise ArchiveError where a member of a zip archive leads out of it or is no plain file."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    _check_member(archive, member.filename, plain=kind in (0, stat.S_IFREG, stat.S_IFDIR))


def _check_member(archive: Path, name: str, plain: bool) -> None:
    """Refuse absolute names, "..", no name at all, links and devices: no data set needs them.

    Python itself silently changes an absolute name into a safe one, and follows links inside.
    """
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or not plain:
        raise ArchiveError(
            f"{archive}: its member {name!r} leads out of the archive or is no plain file; "
            "nothing was unpacked"
        )


def _damaged(archive: Path, error: Exception) -> ArchiveError:
    return ArchiveError(f"{archive}: truncated or damaged ({error}); nothing was unpacked")


def _unwritable(archive: Path, folder: Path, error: OSError) -> StorageError:
    return StorageError(f"can't unpack {archive} into {folder}: {error.strerror}; nothing was kept")
