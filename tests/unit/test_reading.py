"""Reading the data sets: real counts, labels and pixels, and files that aren't what they claim."""

import gzip
import os
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
from data_files import read_split

from trainmark.data import sources
from trainmark.data.errors import DataError
from trainmark.data.read import chunks, idx, pickles
from trainmark.study import datasets
from trainmark.study.plugins import UnknownPlugin


def test_digits(tmp_path: Path) -> None:
    images, labels = read_split("digits", tmp_path, "train")
    assert images.shape == (1500, 1, 28, 28) and images.dtype == np.uint8
    assert labels[:5].tolist() == [0, 1, 2, 3, 4]
    # The first row of the first 8x8 image is 0 0 5 13 9 1 0 0, of 16.
    assert images[0, 0, 3, 2:26:3].tolist() == [0, 0, 80, 207, 143, 16, 0, 0]
    assert not images[:, :, [0, 1, 26, 27]].any() and not images[..., [0, 1, 26, 27]].any()
    assert read_split("digits", tmp_path, "test")[0].shape == (297, 1, 28, 28)


def test_mnist(shared_data: Path, tmp_path: Path) -> None:
    source = tmp_path / "mnist" / "source"
    sources.obtain("mnist", source, [str(shared_data)])
    images, labels = read_split("mnist", source, "train")
    assert images.shape == (60000, 1, 28, 28)
    assert labels[:10].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]
    assert images[0, 0, 5, 12:24].tolist() == [3, 18, 18, 18, 126, 136, 175, 26, 166, 255, 247, 127]
    assert np.bincount(labels)[[0, 9]].tolist() == [5923, 5949]
    images, labels = read_split("mnist", source, "test")
    assert images.shape == (10000, 1, 28, 28)
    assert labels[:5].tolist() == [7, 2, 1, 0, 4]


def test_a_part_of_cifar10(shared_data: Path, tmp_path: Path) -> None:
    source = tmp_path / "cifar10" / "source"
    sources.obtain("cifar10", source, [str(shared_data)], subset=True)
    images, labels = read_split("cifar10", source, "train")
    assert images.shape == (10000, 3, 32, 32)
    assert labels[:10].tolist() == [6, 9, 9, 4, 1, 1, 2, 7, 8, 3]
    assert images[0, :, 0, 0].tolist() == [59, 62, 63]
    images, labels = read_split("cifar10", source, "test")
    assert labels[:5].tolist() == [3, 8, 8, 0, 6]
    assert images[0, :, 0, 0].tolist() == [158, 112, 49]


def test_synthetic_images_are_those_of_their_name(tmp_path: Path) -> None:
    first = read_split("synthetic-3x8x9-5", tmp_path / "synthetic-3x8x9-5" / "source", "train")
    again = read_split("synthetic-3x8x9-5", tmp_path / "synthetic-3x8x9-5" / "source", "train")
    other = read_split("synthetic-3x8x9-6", tmp_path / "synthetic-3x8x9-6" / "source", "train")
    assert first[0].shape == (1024, 3, 8, 9) and set(first[1]) == set(range(5))
    assert (first[0] == again[0]).all() and (first[1] == again[1]).all()
    assert (first[0] != other[0]).any()


def test_large_synthetic_images_come_in_small_chunks(tmp_path: Path) -> None:
    source = tmp_path / "synthetic-3x1024x1024-10" / "source"
    images, _ = next(chunks.read("synthetic-3x1024x1024-10", source, "train"))
    assert len(images) == 21


def test_facts_of_synthetic_data_sets() -> None:
    like_mnist = datasets.facts("synthetic-mnist")
    assert (like_mnist.plugin, like_mnist.image_shape) == ("synthetic", (1, 28, 28))
    assert (like_mnist.train_count, like_mnist.test_count) == (60000, 10000)
    shaped = datasets.facts("synthetic-3x64x48-100")
    assert (shaped.image_shape, shaped.classes) == ((3, 64, 48), 100)
    assert (shaped.train_count, shaped.test_count) == (1024, 256)


@pytest.mark.parametrize(
    "name",
    ["cifar", "synthetic", "synthetic-", "synthetic-cifar", "synthetic-0x8x8-10", "../mnist"],
)
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownPlugin, match=r"cifar10, .*synthetic-<1 or 3 channels>x"):
        datasets.facts(name)


def idx_file(path: Path, header: tuple[int, int, int], shape: tuple[int, ...], size: int) -> Path:
    content = struct.pack(">HBB", *header) + struct.pack(f">{len(shape)}I", *shape)
    path.write_bytes(gzip.compress(content + bytes(size)))
    return path


def test_an_idx_file_comes_in_chunks(tmp_path: Path) -> None:
    path = idx_file(tmp_path / "images.gz", (0, 8, 3), (7, 2, 5), 70)
    assert [array.shape for array in idx.read(path, rows=3)] == [(3, 2, 5), (3, 2, 5), (1, 2, 5)]


@pytest.mark.parametrize(
    ("header", "shape", "size", "message"),
    [
        ((0, 8, 1), (7,), 6, "ends 1 bytes too early"),
        ((0, 8, 1), (7,), 8, "more bytes than the 7 rows"),
        ((0, 13, 1), (7,), 28, "not an idx file of unsigned bytes"),
        ((0, 8, 3), (7,), 0, "ends 8 bytes too early"),
    ],
)
def test_an_idx_file_of_another_length_or_type(
    tmp_path: Path, header: tuple[int, int, int], shape: tuple[int, ...], size: int, message: str
) -> None:
    path = idx_file(tmp_path / "images.gz", header, shape, size)
    with pytest.raises(DataError, match=f"images.gz: {message}"):
        list(idx.read(path, rows=3))


def test_a_truncated_or_foreign_gzip_file(tmp_path: Path) -> None:
    path = idx_file(tmp_path / "images.gz", (0, 8, 1), (7000,), 7000)
    for content in (path.read_bytes()[:-9], b"no gzip file"):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"images\.gz: damaged gzip file"):
            list(idx.read(path, rows=3))


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("made by a pickle",)


def test_a_pickle_can_not_run_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "batch"
    path.write_bytes(pickle.dumps({"data": Evil()}))
    with pytest.raises(DataError, match=r"batch: not a pickle of arrays .*mkdir, which is not"):
        pickles.read(path)
    assert not (tmp_path / "made by a pickle").exists()


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps([1, 2, 3])[:-3]])
def test_a_damaged_pickle(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "batch").write_bytes(content)
    with pytest.raises(DataError, match="batch: not a pickle of arrays"):
        pickles.read(tmp_path / "batch")


def test_a_batch_without_images_is_reported(tmp_path: Path) -> None:
    source = tmp_path / "cifar10" / "source"
    source.mkdir(parents=True)
    (source / "data_batch_1").write_bytes(pickle.dumps({b"labels": [1]}))
    source.with_name("source.json").write_text('{"files": [{"name": "data_batch_1"}]}')
    with pytest.raises(DataError, match=r"data_batch_1: not a batch of CIFAR images"):
        list(chunks.read("cifar10", source, "train"))
