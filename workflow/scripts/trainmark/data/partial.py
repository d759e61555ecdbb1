"""A folder that is whole or absent: it is made beside its place and moved there at the end."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

Note = Mapping[str, str | int | None]
"""What a folder is made from, and how."""
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
    """The folder to write to, with what is there from an earlier time with the same note.

    It is within another one, which has room for what is needed only until it is whole.
    """
    partial = _partial(folder)
    made = partial / folder.name
    if not (made.is_dir() and _has_note(partial, note)):
        shutil.rmtree(partial, ignore_errors=True)
        made.mkdir(parents=True)
        (partial / NOTE).write_text(json.dumps(note), encoding="utf-8")
    yield made
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)
    shutil.rmtree(partial)


def kept(folder: Path) -> str:
    """What an error tells of what is there so far."""
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
