"""All files of a data set, brought together from its mirrors and listed in source.json."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trainmark.data.download import PATIENCE, fetch
from trainmark.data.files import digest, source_files
from trainmark.data.members import obtain_members
from trainmark.data.transfer import Patience

RECORD = "source.json"


def obtain(
    dataset: str,
    source: Path,
    mirrors: Sequence[str] = (),
    subset: bool = False,
    patience: Patience = PATIENCE,
) -> None:
    """Bring the files of a data set into the folder `source`, then list them in its record.

    The user's `mirrors` are asked first, in their order, then the data set's own URLs. With
    `subset`, an archive may lack some of the files wanted of it. The record says what the files
    are and not where or when they came from, so that it stays the same as long as they do.

    Raises DownloadError or StorageError.
    """
    names: list[str] = []
    for file in source_files(dataset):
        if file.members:
            names += obtain_members(file, mirrors, source, subset, patience)
        else:
            addresses = [f"{mirror.rstrip('/')}/{file.name}" for mirror in mirrors]
            names.append(fetch(file, [*addresses, *file.urls], source, patience).name)
    _write_record(source, [_entry(source / name, name) for name in names])


def recorded(source: Path) -> list[Path]:
    """The files of a data set's source folder that its record, beside the folder, lists."""
    record = json.loads(source.with_name(RECORD).read_text(encoding="utf-8"))
    return [source / file["name"] for file in record["files"]]


def _entry(path: Path, name: str) -> dict[str, Any]:
    return {"name": name, "sha256": digest(path, "sha256"), "bytes": path.stat().st_size}


def _write_record(source: Path, files: list[dict[str, Any]]) -> None:
    path = source.with_name(RECORD)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"dataset": source.parent.name, "files": files}, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")
