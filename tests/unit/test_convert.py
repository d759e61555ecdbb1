"""Conversion: whole or nothing, the same bytes each time, an index that is true."""

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from data_files import files_in
from file_sizes import no_file_beyond

from trainmark.data.convert import convert
from trainmark.data.errors import DataError
from trainmark.data.obtain.storage import StorageError
from trainmark.data.read import chunks
from trainmark.data.read.chunks import Chunk
from trainmark.data.write.moments import Moments
from trainmark.study.plugins import SCRIPTS, UnknownPlugin
from worker.input import dataset, pixels
from worker.input.readers import lmdb as lmdb_reader

DATASET = "synthetic-3x6x5-300"
FORMATS = ["cntk", "lmdb", "recordio", "tfrecord"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / DATASET / "converted"


def convert_to(folder: Path, format_name: str, name: str = DATASET) -> None:
    convert(name, folder.with_name("source"), format_name, folder)


@pytest.mark.parametrize("format_name", FORMATS)
def test_index_is_true(format_name: str, folder: Path) -> None:
    convert_to(folder, format_name)

    index = json.loads((folder / "dataset.json").read_text())
    schema = json.loads((SCRIPTS.parent / "schemas" / "dataset.schema.json").read_text())
    jsonschema.validate(index, schema)
    train = np.concatenate([images for images, _ in stream("train", folder)])
    assert index["splits"]["train"]["count"] == len(train)
    assert index["mean"] == pytest.approx(train.mean(axis=(0, 2, 3)))
    assert index["scale"] == pytest.approx(1 / train.std())
    mean_image = np.load(folder / index["mean_image"])
    assert mean_image.dtype == np.float32
    assert mean_image == pytest.approx(train.mean(axis=0))
    for name, split in index["splits"].items():
        parts = {folder / split["path"], folder / name}
        assert split["bytes"] == sum(len(part) for path in parts for part in files(path))


def files(path: Path) -> list[bytes]:
    """The content of a file, of all files in a folder, or nothing where neither is there."""
    return [path.read_bytes()] if path.is_file() else list(files_in(path).values())


def stream(split: str, folder: Path) -> Iterator[Chunk]:
    return chunks.read(DATASET, folder.with_name("source"), split)


def kept(folder: Path) -> list[str]:
    """What stands where the folder was converted, but for the lock that stays."""
    return [path.name for path in folder.parent.iterdir() if path.suffix != ".lock"]


@pytest.mark.parametrize("format_name", FORMATS)
def test_second_conversion_gives_the_same_bytes(format_name: str, folder: Path) -> None:
    convert_to(folder, format_name)
    first = files_in(folder)

    convert_to(folder, format_name)

    assert files_in(folder) == first
    assert kept(folder) == [folder.name]


def test_worker_reads_and_normalises_what_was_converted(folder: Path) -> None:
    convert_to(folder, "lmdb")

    index = dataset.load(str(folder / "dataset.json"))
    ((images, _),) = lmdb_reader.batches(index, "train", 1024)
    normalised = pixels.normalise(images, index)

    assert normalised.dtype == np.float32
    assert normalised.mean(axis=(0, 2, 3)) == pytest.approx([0, 0, 0], abs=1e-5)
    assert normalised.std() == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize(("lost", "subset"), [(1, False), (-1, True), (1024, True)])
def test_wrong_number_of_images_keeps_nothing(
    lost: int, subset: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_count(monkeypatch, lost)

    with pytest.raises(DataError, match=r"split train: \d+ images where 1024 were expected"):
        convert(DATASET, folder.with_name("source"), "lmdb", folder, subset)
    assert kept(folder) == []


def test_subset_may_hold_fewer_images(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_count(monkeypatch, 24)

    convert(DATASET, folder.with_name("source"), "tfrecord", folder, subset=True)

    assert json.loads((folder / "dataset.json").read_text())["splits"]["train"]["count"] == 1000


def change_count(monkeypatch: pytest.MonkeyPatch, lost: int) -> None:
    """Have the stream bring some images fewer, or one more, than the data set promises."""
    read = chunks.read

    def miscounted(name: str, source: Path, split: str) -> Iterator[Chunk]:
        for images, labels in read(name, source, split):
            kept = np.arange(len(labels) - lost) % len(labels)
            yield images[kept], labels[kept]

    monkeypatch.setattr(chunks, "read", miscounted)


@pytest.mark.parametrize("format_name", FORMATS)
def test_failing_write_is_reported_in_one_line_and_keeps_nothing(
    format_name: str, folder: Path
) -> None:
    with (
        no_file_beyond(50_000),
        pytest.raises(StorageError, match=r"^can't convert \S+ to \w+: .*; nothing was kept$"),
    ):
        convert_to(folder, format_name)

    assert kept(folder) == []


def test_unknown_format_lists_the_known_ones(folder: Path) -> None:
    with pytest.raises(UnknownPlugin, match=r"unknown format 'hdf5'; known: .*tfrecord"):
        convert_to(folder, "hdf5")


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_path_that_cannot_be_written_is_reported(format_name: str, folder: Path) -> None:
    folder.parent.write_text("a file where the folder should be")

    with pytest.raises(StorageError, match=r"can't convert .*; nothing was kept"):
        convert_to(folder, format_name)


def test_moments_do_not_depend_on_how_the_stream_is_cut() -> None:
    images = np.random.default_rng(0).integers(256, size=(100, 3, 9, 7), dtype=np.uint8)
    whole, cut = Moments((3, 9, 7)), Moments((3, 9, 7))
    whole.add(images)
    for first in range(0, 100, 7):
        cut.add(images[first : first + 7])

    assert (whole.mean, whole.scale) == (cut.mean, cut.scale)


def test_equal_pixels_have_scale_one() -> None:
    moments = Moments((1, 3, 3))
    moments.add(np.full((2, 1, 3, 3), 7, dtype=np.uint8))

    assert (moments.mean, moments.scale) == ([7.0], 1.0)
