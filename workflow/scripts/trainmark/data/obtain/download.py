"""Downloading one file from the first of its mirrors that has it complete and correct.

An interrupted download goes on where it stopped, in this process or in a later one: the bytes so
far stand in `<name>.part`, which gets its final name only after its checksum was found right.
"""

import errno
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from trainmark.data.obtain.addresses import USER, DownloadError
from trainmark.data.obtain.checked_file import SourceFile, is_right
from trainmark.data.obtain.storage import StorageError, make_room
from trainmark.data.obtain.transfer import Retries, transfer
from trainmark.errors import TrainmarkError

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
RETRIES = Retries()
UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


def fetch(
    file: SourceFile, addresses: Sequence[str], folder: Path, retries: Retries = RETRIES
) -> Path:
    """Bring `file` into `folder` from the first address that has it, unless it is there.

    An address is a URL (http, https, file) or a path. Raises DownloadError, which tells what each
    address said, or StorageError.
    """
    target = folder / file.name
    if not is_right(target, file):
        part = folder / f"{file.name}.part"
        there_bytes = part.stat().st_size if part.exists() else 0
        make_room(folder, (file.bytes or 0) - there_bytes)
        first_that_works(
            f"{file.name} ({file.bytes} bytes, sha256 {file.sha256})",
            [(address, partial(transfer, file, address, part, retries)) for address in addresses],
            part,
        )
        part.replace(target)
    return target


def first_that_works(
    wanted: str, ways: Iterable[tuple[str, Callable[[], Result]]], part: Path
) -> Result:
    """The result of the first way (an address, and what to do there) that doesn't fail.

    Raises DownloadError, which tells what each address said, or at once StorageError.
    """
    failures = []
    for address, way in ways:
        try:
            return way()
        except StorageError:
            raise
        except OSError as error:
            if error.errno in UNWRITABLE:
                raise StorageError(f"can't write to {part.parent}: {error.strerror}") from error
            place = f": {error.filename}" if error.filename else ""
            failures.append(USER.sub("", f"{address}: {error.strerror or error}{place}"))
        except TrainmarkError as error:
            failures.append(USER.sub("", f"{address}: {error}"))
        logger.warning(failures[-1])
    kept = f"the bytes so far stay in {part} to go on from" if part.exists() else "nothing was kept"
    raise DownloadError(f"can't get {wanted}: {'; '.join(failures)}; {kept}")
