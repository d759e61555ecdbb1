"""A folder that is complete or absent: made beside its final place and renamed at the end."""

import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from trainmark.data.obtain.storage import StorageError

Note = Mapping[str, str | int | None]
"""The origin of a folder: what it is made from, and how."""
NOTE = "note.json"


@contextmanager
def begun_anew(folder: Path) -> Iterator[Path]:
    """A new folder to write to, of which nothing is kept unless all goes well."""
    partial = _partial(folder)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        yield partial
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def resumed(folder: Path, note: Note) -> Iterator[Path]:
    """The folder to write to, with what an earlier call with the same note has written.

    It is within another one, which has room for what is needed only until it is whole.
    """
    partial = _partial(folder)
    made = partial / folder.name
    with alone(folder):
        _prepare(partial, made, note)
        yield made
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
        shutil.rmtree(partial)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes from the folder: another Snakemake, or a job that is just ending.

    The file stays: where it was removed, two could lock two files of its name. Raises StorageError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    path = folder.with_name(f".{folder.name}.lock")
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StorageError(
                f"another process still writes {folder}: wait for it, or stop it"
            ) from None
        yield


def _prepare(partial: Path, made: Path, note: Note) -> None:
    if not (made.is_dir() and _has_note(partial, note)):
        shutil.rmtree(partial, ignore_errors=True)
        made.mkdir(parents=True)
        (partial / NOTE).write_text(json.dumps(note), encoding="utf-8")


def kept(folder: Path) -> str:
    """The part of an error message about the work done so far."""
    partial = _partial(folder)
    if partial.exists():
        return f"what was written stays in {partial} to go on from"
    return "nothing was kept"


def _partial(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.partial")


def _has_note(partial: Path, note: Note) -> bool:
    try:
        return bool(json.loads((partial / NOTE).read_text(encoding="utf-8")) == note)
    except (FileNotFoundError, ValueError):
        return False
