"""Conversion of a data set to one format: all its splits, and the index that describes them."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from trainmark.data import stored
from trainmark.data.obtain.storage import StorageError
from trainmark.data.read import chunks, images
from trainmark.data.read.chunks import Chunk, check_count
from trainmark.data.read.source_record import check_files_unchanged, check_unchanged
from trainmark.data.write import partial, resumable
from trainmark.data.write.moments import Moments
from trainmark.data.write.protobuf import blocks
from trainmark.files import sealed, write_json
from trainmark.study import digest, plugins
from trainmark.study.datasets import DataSetFacts, facts

INDEX = "dataset.json"
MEAN_IMAGE = "mean_image.npy"
SPLITS = ("train", "test")


def convert(
    dataset: str, source: Path, format_name: str, folder: Path, subset: bool = False
) -> None:
    """Write the data set whose files are in `source` to `folder`, with its index dataset.json.

    The folder is made under a temporary name and renamed when it is complete, so that it is whole
    or absent. The same data set gives the same bytes. With `subset`, splits may hold fewer images
    than the data set promises. An interrupted conversion of image files is continued; that of
    pixels begins again.

    Raises DataError for a wrong number of images and for wrong content, StorageError where the
    disk is full or can't be written to, plugins.UnknownPlugin for an unknown format.
    """
    plugins.path("format", format_name)
    expected = facts(dataset)
    convert_it = _convert_files if expected.encoded else _convert_pixels
    try:
        convert_it(expected, source, format_name, folder, subset)
    except OSError as error:
        raise StorageError(
            f"can't convert {dataset} to {format_name}: {error.strerror or error}: "
            f"{os.fsdecode(error.filename or folder)}; {partial.kept(folder)}"
        ) from error


def _convert_pixels(
    expected: DataSetFacts, source: Path, format_name: str, folder: Path, subset: bool
) -> None:
    if pattern := plugins.facts("data set", expected.plugin).get("LINKED_FILES"):
        check_files_unchanged(source, pattern)
    writer = _writer(format_name)
    with partial.alone(folder), partial.begun_anew(folder) as draft:
        splits, moments = {}, {}
        for split in SPLITS:
            path = draft / f"{split}{writer.SUFFIX}"
            moments[split] = Moments(expected.image_shape)
            stream = _observed(chunks.read(expected.name, source, split), moments[split])
            writer.write(stream, path, expected.image_shape)
            check_count(moments[split].images, expected, split, subset)
            splits[split] = stored.entry(path, draft / split, moments[split].images)
        train = moments["train"]
        np.save(draft / MEAN_IMAGE, train.mean_image)
        values = {"encoding": writer.ENCODING, "mean": train.mean, "mean_image": MEAN_IMAGE}
        _finish(draft, expected, format_name, {**values, "scale": train.scale, "splits": splits})


def _convert_files(
    expected: DataSetFacts, source: Path, format_name: str, folder: Path, subset: bool
) -> None:
    writer, short_side = _writer(format_name), expected.short_side
    listings = images.listings(expected, source, subset)
    check_unchanged(source, listings)
    note = {split: listing.digest for split, listing in listings.items()}
    note["code"] = digest.of_conversion(expected.name, format_name)
    with partial.resumed(folder, {**note, "short_side": short_side}) as draft:
        splits = {}
        for split, listing in listings.items():
            path = draft / f"{split}{getattr(writer, 'IMAGE_SUFFIX', writer.SUFFIX)}"
            odd, sha256 = resumable.write(listing, short_side, writer, path)
            splits[split] = {**stored.entry(path, draft / split, len(listing), sha256), "odd": odd}
        values = {"encoding": images.ENCODING, "mean": images.MEAN, "scale": images.SCALE}
        more = {"short_side": short_side, "splits": splits}
        _finish(draft, expected, format_name, {**values, **more})


def _writer(format_name: str) -> ModuleType:
    writer: ModuleType = plugins.load("format", format_name)
    return writer


def _finish(draft: Path, expected: DataSetFacts, format_name: str, values: dict[str, Any]) -> None:
    """Write the index, and the further files of the format."""
    index = {
        "dataset": expected.name,
        "format": format_name,
        "image_shape": expected.image_shape,
        "classes": expected.classes,
        **values,
    }
    writer = _writer(format_name)
    if hasattr(writer, "finish"):
        writer.finish(draft, index)
    stored.sync(path for path in draft.iterdir() if path.is_file())
    write_json(sealed(index), draft / INDEX)


def _observed(stream: Iterator[Chunk], moments: Moments) -> Iterator[Chunk]:
    """Yield the stream in small blocks, and add each block to the moments."""
    for pixels, labels in blocks(stream):
        moments.add(pixels)
        yield pixels, labels
