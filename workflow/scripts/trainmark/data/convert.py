"""One data set in one format: all its splits, and the index that describes them."""

import hashlib
import importlib
import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trainmark.data import chunks
from trainmark.data.chunks import Chunk, DataError
from trainmark.data.moments import Moments
from trainmark.data.records import blocks
from trainmark.data.storage import StorageError
from trainmark.study import plugins
from trainmark.study.datasets import DataSetFacts, facts

INDEX = "dataset.json"

log = logging.getLogger(__name__)


def convert(
    dataset: str, source: Path, format_name: str, folder: Path, subset: bool = False
) -> None:
    """Write the data set whose files are in `source` to `folder`, with its index dataset.json.

    The folder is made beside its place and moved there when it is complete, so that it is whole
    or absent. The same data set gives the same bytes. With `subset`, splits may hold fewer images
    than the data set promises.

    Raises DataError for a wrong number of images and for wrong content, StorageError where the
    disk is full or can't be written to, plugins.UnknownPlugin for an unknown format.
    """
    plugins.path("format", format_name)
    try:
        with _completed(folder) as partial:
            index = _write(facts(dataset), source, format_name, partial, subset)
            (partial / INDEX).write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"can't convert {dataset} to {format_name}: {error.strerror or error}: "
            f"{error.filename or folder}; nothing was kept"
        ) from error


@contextmanager
def _completed(folder: Path) -> Iterator[Path]:
    """A new folder to write to, which takes its place only when all went well."""
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        yield partial
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(
    expected: DataSetFacts, source: Path, format_name: str, folder: Path, subset: bool
) -> dict[str, Any]:
    """Write both splits and return the index."""
    writer = importlib.import_module(f"trainmark.data.formats.{format_name}")
    splits, moments = {}, {}
    for split, count in (("train", expected.train_count), ("test", expected.test_count)):
        path = folder / f"{split}{writer.SUFFIX}"
        moments[split] = Moments(expected.image_shape[0])
        stream = _observed(chunks.read(expected.name, source, split), moments[split])
        writer.write(stream, path, expected.image_shape)
        _check_count(moments[split].images, count, f"{expected.name}, split {split}", subset)
        stored = _stored(path, folder / split)
        splits[split] = {"count": moments[split].images, "path": path.name, **stored}
        log.info("%s: %s", split, splits[split])
    index = {
        "dataset": expected.name,
        "format": format_name,
        "image_shape": expected.image_shape,
        "classes": expected.classes,
        "encoding": writer.ENCODING,
        "mean": moments["train"].mean,
        "scale": moments["train"].scale,
        "splits": splits,
    }
    if hasattr(writer, "finish"):
        writer.finish(folder, index)
    return index


def _observed(stream: Iterator[Chunk], moments: Moments) -> Iterator[Chunk]:
    """Let the stream through, in small blocks, and take its moments on the way."""
    for images, labels in blocks(stream):
        moments.add(images)
        yield images, labels


def _check_count(found: int, expected: int, place: str, subset: bool) -> None:
    if found > expected or found == 0 or (found < expected and not subset):
        raise DataError(
            f"{place}: {found} images where {expected} were expected; fetch its source anew, or "
            "list the data set in machine.subset if fewer are meant"
        )


def _stored(path: Path, folder: Path) -> dict[str, Any]:
    """Size and digest of what a reader reads; it is on the disk when this returns.

    That is the file `path`, the files in the split's `folder`, or both. By the digest, images that
    come out different are other data to every run.
    """
    digest, stored_bytes = hashlib.sha256(), 0
    for file in filter(Path.is_file, [path, *sorted(folder.glob("*"))]):
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            hashlib.file_digest(opened, lambda: digest)
        stored_bytes += file.stat().st_size
    return {"bytes": stored_bytes, "sha256": digest.hexdigest()}
