"""TFRecord files read back by the package tfrecord, which knows nothing of ours."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pictures
import pytest
from tfrecord.reader import tfrecord_loader

from trainmark.data.formats import tfrecord
from trainmark.data.write.encoded import Image

TYPES = {"image": "byte", "label": "int"}
LABELS = [0, 127, 128, 999]  # of one and of two bytes


def examples(path: Path) -> Iterator[dict[str, Any]]:
    loader: Iterator[dict[str, Any]] = tfrecord_loader(str(path), None, TYPES)
    return loader


@pytest.mark.parametrize("shape", [(1, 28, 28), (3, 32, 32), (3, 5, 7)])
def test_pixels_and_labels_are_the_same(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    images = np.random.default_rng(0).integers(256, size=(4, *shape), dtype=np.uint8)
    labels = np.array(LABELS, dtype=np.int64)
    path = tmp_path / "train.tfrecord"
    tfrecord.write([(images[:3], labels[:3]), (images[3:], labels[3:])], path, shape)

    stored = list(examples(path))

    assert [example["label"].tolist() for example in stored] == [[label] for label in LABELS]
    channels, height, width = shape
    for example, image in zip(stored, images, strict=True):
        pixels = np.frombuffer(example["image"], dtype=np.uint8).reshape(height, width, channels)
        np.testing.assert_array_equal(pixels.transpose(2, 0, 1), image)


def test_image_files_and_labels_in_shards_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tfrecord, "IMAGES_PER_SHARD", 3)
    images = [Image(pictures.encoded(number), label) for number, label in enumerate(LABELS)]
    with tfrecord.ImageWriter(tmp_path / "train") as writer:
        writer.append(images)

    shards = sorted((tmp_path / "train").iterdir())

    assert len(shards) == 2
    stored = [example for shard in shards for example in examples(shard)]
    assert [Image(bytes(example["image"]), *example["label"]) for example in stored] == images
