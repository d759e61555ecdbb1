"""Obtaining all files of a data set from its mirrors, and listing them in source.json."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trainmark.data.obtain.addresses import DownloadError
from trainmark.data.obtain.checked_file import SourceFile, source_files
from trainmark.data.obtain.download import RETRIES, fetch
from trainmark.data.obtain.members import obtain_members
from trainmark.data.obtain.transfer import Retries
from trainmark.data.obtain.trees import obtain_tree
from trainmark.data.read import images
from trainmark.data.read.source_record import RECORD, linked_files, listed
from trainmark.files import file_digest, read_json, sealed, write_json
from trainmark.study import plugins
from trainmark.study.datasets import DataSetFacts, facts, origin
from trainmark.study.mirrors import local_path


def obtain(
    dataset: str,
    source: Path,
    mirrors: Sequence[str] = (),
    subset: bool = False,
    retries: Retries = RETRIES,
) -> None:
    """Bring the files of a data set into the folder `source`, then list them in its record.

    The user's `mirrors` are asked first, in their order, then the data set's own URLs. With
    `subset`, an archive may lack some of the files wanted of it. The record says what the files
    are and not where or when they came from, so that it stays the same as long as they do.

    Files that can't be downloaded stay where the user has them: `source` becomes a link to the
    first mirror that is a folder. Image files in it are checked, and recorded as each split's
    number of images and digest: a list of the files would be as long as the data set.

    Raises DownloadError or StorageError, and DataError for image files that are not as they must.
    """
    expected, record = facts(dataset), dict[str, Any]()
    if how_to_get := plugins.facts("data set", expected.plugin).get("HOW_TO_GET"):
        _link(source, _folder(expected, mirrors, how_to_get))
        record["folder"] = str(source.resolve())
    names = [
        name
        for file in source_files(dataset)
        for name in _obtained(file, source, mirrors, subset, retries)
    ]
    if pattern := plugins.facts("data set", expected.plugin).get("LINKED_FILES"):
        names += linked_files(source, pattern)
    if expected.encoded:
        record["splits"] = listed(images.listings(expected, source, subset))
    else:
        record["files"] = [_entry(source / name, name) for name in names]
    _write_record(source, record)


def _obtained(
    file: SourceFile, source: Path, mirrors: Sequence[str], subset: bool, retries: Retries
) -> list[str]:
    """Bring a file, or what is wanted of it, into the folder; the names of what is there then."""
    if file.tree:
        return obtain_tree(file, file.tree, mirrors, source, subset, retries)
    if file.members:
        return obtain_members(file, mirrors, source, subset, retries)
    addresses = [f"{mirror.rstrip('/')}/{file.name}" for mirror in mirrors]
    return [fetch(file, [*addresses, *file.urls], source, retries).name]


def _link(source: Path, folder: Path) -> None:
    source.parent.mkdir(parents=True, exist_ok=True)
    source.unlink(missing_ok=True)
    source.symlink_to(folder, target_is_directory=True)


def _folder(expected: DataSetFacts, mirrors: Sequence[str], how_to_get: str) -> Path:
    """The first of the mirrors that is a folder."""
    for path in filter(None, map(local_path, mirrors)):
        if path.is_dir():
            return path.resolve()
    tried = (
        f"no folder of this machine {' or '.join(mirrors)}"
        if mirrors
        else "its files are not fetched for you"
    )
    key = f"machine.mirrors.{origin(expected.name)}"
    raise DownloadError(f"{expected.name}: {tried}; {how_to_get.format(key=key)}")


def recorded(source: Path) -> list[Path]:
    """The files of a data set's source folder that its record, beside the folder, lists."""
    record = read_json(source.with_name(RECORD), "files")
    return [source / file["name"] for file in record["files"]]


def _entry(path: Path, name: str) -> dict[str, Any]:
    return {"name": name, "sha256": file_digest(path), "bytes": path.stat().st_size}


def _write_record(source: Path, content: dict[str, Any]) -> None:
    path = source.with_name(RECORD)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(sealed({"dataset": source.parent.name, **content}), path)
