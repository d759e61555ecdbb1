"""Variants of data sets: what they are made of, what is made, and those that make no sense."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from data_files import read_split

from trainmark.data.convert import convert
from trainmark.data.datasets import digits
from trainmark.data.read import chunks
from trainmark.data.variants import coarse, grey, yuv
from trainmark.study.datasets import NoSuchVariant, facts, origin
from trainmark.study.paths import source_record
from trainmark.study.plugins import UnknownPlugin

COLOURED = "synthetic-3x12x10-4"


def read(name: str, folder: Path, split: str = "train") -> tuple[np.ndarray, np.ndarray]:
    """The whole split."""
    return read_split(name, folder / origin(name) / "source", split)


def test_a_name_says_what_is_downloaded_and_what_is_made_of_it() -> None:
    mnist = facts("mnist-first50000-32x32")
    assert (mnist.image_shape, mnist.train_count, mnist.test_count) == ((1, 32, 32), 50000, 10000)
    assert (mnist.plugin, mnist.variant, mnist.base) == ("mnist", "padded", "mnist-first50000")
    assert source_record(mnist.name) == "results/data/mnist/source.json"
    assert origin("synthetic-cifar10-grey") == "synthetic-cifar10"


def test_a_text_may_be_called_as_an_ending_is() -> None:
    assert origin("text-short256") == "text-short256"


def test_how_many_of_a_text_are_the_last_ones_is_not_known_beforehand() -> None:
    with pytest.raises(NoSuchVariant, match="is known only when they are there"):
        facts("text-mine-last100")


def test_first_and_last_images_train_and_all_test(tmp_path: Path) -> None:
    images, labels = read("digits", tmp_path)
    for name, wanted in (("digits-first1000", slice(1000)), ("digits-last900", slice(600, None))):
        some_images, some_labels = read(name, tmp_path)
        assert (some_images == images[wanted]).all() and (some_labels == labels[wanted]).all()
        assert len(read(name, tmp_path, "test")[1]) == digits.TEST_COUNT


def test_a_part_is_the_same_however_the_stream_is_cut() -> None:
    images, labels = np.arange(20, dtype=np.uint8).reshape(-1, 1, 1, 1), np.arange(20)
    cut = [(images[first : first + 6], labels[first : first + 6]) for first in range(0, 20, 6)]
    for start, stop in ((0, 20), (0, 6), (3, 7), (6, 12), (13, None), (19, None)):
        part_labels = np.concatenate([part for _, part in chunks.part(iter(cut), start, stop)])
        assert part_labels.tolist() == labels[start:stop].tolist()


def test_padded_images_have_zeros_around_them(tmp_path: Path) -> None:
    images, _ = read("digits", tmp_path)
    padded, _ = read("digits-31x32", tmp_path)
    assert (padded[:, :, 1:29, 2:30] == images).all()
    assert padded.sum(dtype=int) == images.sum(dtype=int)


def test_grey_is_the_mean_of_the_colours(tmp_path: Path) -> None:
    grey_images, _ = read(f"{COLOURED}-grey", tmp_path)
    assert (grey_images[:, 0] == np.rint(read(COLOURED, tmp_path)[0].mean(axis=1))).all()
    white = np.full((1, 3, 2, 2), 255, dtype=np.uint8)
    ((image, _),) = grey.read(lambda _: iter([(white, np.zeros(1, int))]), "test", facts(COLOURED))
    assert (image == 255).all()


def test_variants_of_variants(tmp_path: Path) -> None:
    both, _ = read("digits-first1000-32x32", tmp_path)
    assert (both == read("digits-32x32", tmp_path)[0][:1000]).all()
    assert read(f"{COLOURED}-grey-last10-14x14", tmp_path)[0].shape == (10, 1, 14, 14)


def around(plane: np.ndarray, row: int, column: int) -> tuple[float, float]:
    """The weighted sum of the 7 x 7 pixels around one, and the weights within the image."""
    bell = np.array([math.exp(-((k / 1.75) ** 2) / 2) for k in range(-3, 4)])
    bell /= bell.sum()
    total = inside = 0.0
    for down in range(-3, 4):
        for right in range(-3, 4):
            y, x = row + down, column + right
            if 0 <= y < plane.shape[0] and 0 <= x < plane.shape[1]:
                weight = bell[down + 3] * bell[right + 3]
                total += weight * plane[y, x]
                inside += weight
    return total, inside


def test_local_contrast_is_that_of_torch() -> None:
    """Pixel by pixel, as Torch's SpatialContrastiveNormalization defines it."""
    plane = np.random.default_rng(3).uniform(0, 255, size=(9, 11))
    centred, expected = np.empty_like(plane), np.empty_like(plane)
    for row, column in np.ndindex(plane.shape):
        total, inside = around(plane, row, column)
        centred[row, column] = plane[row, column] - total / inside
    for row, column in np.ndindex(plane.shape):
        total, inside = around(np.square(centred), row, column)
        expected[row, column] = centred[row, column] / max(math.sqrt(total) / inside, 1e-4)
    assert yuv.local_contrast(plane[np.newaxis])[0] == pytest.approx(expected, abs=1e-9)
    assert yuv.local_contrast(np.full((1, 9, 9), 200.0)) == pytest.approx(0, abs=1e-6)


def test_yuv_is_normalised_by_the_training_images(tmp_path: Path) -> None:
    images_of = {split: read(f"{COLOURED}-yuv", tmp_path, split)[0] for split in ("train", "test")}
    red, green, blue = np.moveaxis(read(COLOURED, tmp_path)[0].astype(float), 1, 0)
    mean, deviation = (f(0.615 * red - 0.51499 * green - 0.10001 * blue) for f in (np.mean, np.std))
    for split, images in images_of.items():
        values = (images.astype(float) - 128) / 32
        red, green, blue = np.moveaxis(read(COLOURED, tmp_path, split)[0].astype(float), 1, 0)
        brightness = 0.299 * red + 0.587 * green + 0.114 * blue
        expected = (mean - (0.615 * red - 0.51499 * green - 0.10001 * blue)) / deviation
        assert values[:, 2] == pytest.approx(expected, abs=1 / 64)
        assert values[:, 0] == pytest.approx(yuv.local_contrast(brightness), abs=1 / 64)


def test_every_superclass_has_five_classes() -> None:
    assert np.bincount(coarse.SUPERCLASSES).tolist() == [5] * 20


def test_the_index_is_that_of_the_variant(tmp_path: Path) -> None:
    folder = tmp_path / "lmdb"
    convert("digits-first1000-32x32", tmp_path / "digits" / "source", "lmdb", folder)
    index = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    assert (index["dataset"], index["image_shape"]) == ("digits-first1000-32x32", [1, 32, 32])
    assert [split["count"] for split in index["splits"].values()] == [1000, 297]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mnist-yuv", "it needs images of 3 channels; mnist has 1"),
        ("mnist-32x32-grey", "it needs images of 3 channels; mnist-32x32 has 1"),
        ("mnist-first70000", "mnist has 60000 training images, and this is to have fewer"),
        ("mnist-last60000", "mnist has 60000 training images, and this is to have fewer"),
        ("cifar10-16x16", "images are padded to a larger size, and those of cifar10 are 32x32"),
        ("cifar10-40x16", "images are padded to a larger size, and those of cifar10 are 32x32"),
        ("cifar10-32x32", "images are padded to a larger size, and those of cifar10 are 32x32"),
        ("imagenet-grey", "imagenet has image files, and variants are made of pixels"),
        ("imagenet-short256-yuv", "imagenet-short256 has image files, and variants are made of"),
        ("cifar10-999x999", "images are padded to 8 times their size at most"),
        ("cifar10-yuv-yuv", "cifar10-yuv is in this variant already"),
        ("cifar10-coarse", "this variant is one of cifar100 alone"),
    ],
)
def test_a_variant_that_makes_no_sense_is_reported_in_one_line(name: str, message: str) -> None:
    with pytest.raises(NoSuchVariant, match=f"^there is no {name}: {message}"):
        facts(name)


@pytest.mark.parametrize("name", ["mnist-yellow", "mnist-first0", "mnist-first", "mnist-grey8"])
def test_an_unknown_variant_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownPlugin, match=f"unknown data set '{name}'.*-<height>x<width>, "):
        facts(name)
