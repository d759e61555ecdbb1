"""A copy of a data set on the machine that measures, where its folder is on another one."""

import hashlib
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

from trainmark.data import stored
from trainmark.data.obtain.storage import StorageError, make_room
from trainmark.data.write import partial
from trainmark.files import DamagedFile, read_json

CHUNK_BYTES = 1 << 24


def copied(index: Path, scratch: str, check: Callable[[], None]) -> Path:
    """The index of the data set's copy in the folder `scratch`, made where it doesn't exist yet.

    A copy is called after the digest of its index, which has those of the images: what was changed
    is copied anew. It stays, for the runs to come. `check` is called while copying, and may raise.
    Variables such as $TMPDIR are replaced in `scratch` by what they are here.

    Raises StorageError.
    """
    parent = _expanded(scratch)
    digest = hashlib.sha256(index.read_bytes()).hexdigest()[:16]
    dataset, form = index.parent.parent.name, index.parent.name
    folder = parent / f"trainmark-{dataset}-{form}-{digest}"
    if not _is_whole(folder / index.name):
        files = [path for path in sorted(index.parent.rglob("*")) if path.is_file()]
        try:
            with partial.begun_anew(folder) as begun:  # without what a killed copy left
                make_room(parent, sum(path.stat().st_size for path in files))
                for path in files:
                    _copy(path, begun / path.relative_to(index.parent), check)
        except OSError as error:
            raise StorageError(f"can't copy {dataset} to {parent}: {error.strerror}") from error
    return folder / index.name


def _is_whole(index: Path) -> bool:
    """Whether a copy has all of its images: whoever cleans the folder may have removed some."""
    try:
        stored.check_sizes(index, read_json(index).get("splits", {}))
    except (OSError, DamagedFile):
        return False
    return True


def _expanded(scratch: str) -> Path:
    parent = os.path.expandvars(scratch)
    if "$" in parent:
        host = socket.gethostname()
        raise StorageError(f"scratch: {scratch} names a variable that isn't set on {host}")
    return Path(parent)


def _copy(source: Path, target: Path, check: Callable[[], None]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as reader, target.open("wb") as writer:
        while chunk := reader.read(CHUNK_BYTES):
            check()
            writer.write(chunk)
    shutil.copystat(source, target)
