"""What every data set's file must state and yield; new ones are tested without a change here."""

from pathlib import Path

import numpy as np
import pytest

from trainmark.data.obtain.checked_file import source_files
from trainmark.data.read import chunks, jpeg
from trainmark.data.read.images import listings
from trainmark.study.datasets import facts, real_names


@pytest.mark.parametrize("name", real_names())
def test_facts_are_complete(name: str) -> None:
    dataset = facts(name)
    assert len(dataset.image_shape) == 3 and min(dataset.image_shape) > 0
    assert min(dataset.classes, dataset.train_count, dataset.test_count) > 0


@pytest.mark.parametrize("name", [name for name in real_names() if source_files(name)])
def test_every_source_file_can_be_checked(name: str) -> None:
    for file in source_files(name):
        if file.sha256 is None:  # then the files that are taken of it are checked
            assert file.bytes is None and file.tree and len(bytes.fromhex(file.tree.sha256)) == 32
        else:
            assert file.bytes > 0 and len(bytes.fromhex(file.sha256)) == 32
        assert file.urls and all(url.endswith(f"/{file.name}") for url in file.urls)
        assert all(len(bytes.fromhex(md5)) == 16 for md5 in file.members.values())


WITHOUT_FILES = [
    name
    for name in [*real_names(), "synthetic-mnist"]
    if not (source_files(name) or facts(name).encoded)
]


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("name", WITHOUT_FILES)
def test_a_data_set_without_files_can_be_read(name: str, split: str, tmp_path: Path) -> None:
    count = 0
    for images, labels in chunks.read(name, tmp_path / name / "source", split):
        assert images.dtype == np.uint8 and labels.dtype == np.int64
        assert len(images) <= chunks.CHUNK_IMAGES
        count += len(images)
    assert count == getattr(facts(name), f"{split}_count")


def test_a_data_set_of_image_files_is_listed(tmp_path: Path) -> None:
    expected = facts("synthetic-imagenet")
    for split, listing in listings(
        expected, tmp_path / expected.name / "source", subset=False
    ).items():
        assert listing.labels.dtype == np.int64 and len(listing.labels) == len(listing)
        assert len(listing) == expected.count(split)
        assert listing.read(0).startswith(jpeg.START) and listing.name(0)
