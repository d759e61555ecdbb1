"""Data sets of image files, listed where they are: class folders, and made-up images."""

import io
from pathlib import Path

import numpy as np
import pytest
from listed_images import content, expected, obtained
from pictures import class_folders, encoded
from PIL import Image

from trainmark.data import sources
from trainmark.data.errors import DataError
from trainmark.data.obtain.addresses import DownloadError
from trainmark.files import read_json
from trainmark.study.datasets import origin

FLOWERS = "folder-flowers-3x24x24-3"
ONE_CLASS, TWO_CLASSES = "folder-one-3x24x24-1", "folder-two-3x24x24-2"


def record(dataset: str, results: Path) -> dict[str, object]:
    return read_json(results / dataset / "source.json")


@pytest.mark.parametrize("test_folder", ["val", "test"])
def test_training_and_test_folders(user_folder: Path, results: Path, test_folder: str) -> None:
    class_folders(user_folder / "train", {"n03": 4, "n01": 3, "n02": 5})
    class_folders(user_folder / test_folder, {"n01": 1, "n03": 2}, first=100)
    listings = obtained(FLOWERS, results, user_folder)
    assert content(listings["train"]) == expected(user_folder / "train")
    assert sorted(listings["train"].labels.tolist()) == [0] * 3 + [1] * 5 + [2] * 4
    assert listings["test"].labels.tolist() == [0, 2, 2]
    assert listings["test"].name(1) == str(user_folder / test_folder / "n03" / "n03_0.JPEG")


def test_class_folders_alone_are_shared_out(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 11, "b": 4, "c": 5})
    listings = obtained(FLOWERS, results, user_folder)
    assert content(listings["train"]) + content(listings["test"]) != []
    assert sorted(content(listings["train"]) + content(listings["test"])) == expected(user_folder)
    assert listings["test"].labels.tolist() == [0, 0, 2]


def test_training_images_are_shuffled_always_alike(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 20, "b": 20, "c": 20})
    first, second = (obtained(FLOWERS, results, user_folder) for _ in range(2))
    labels = first["train"].labels
    assert labels.tolist() == second["train"].labels.tolist()
    assert not np.all(np.diff(labels) >= 0)
    assert np.all(np.diff(first["test"].labels) >= 0)


def test_only_image_files_are_taken(user_folder: Path, results: Path) -> None:
    class_folders(user_folder / "train", {"a": 1})
    class_folders(user_folder / "val", {"a": 1})
    (user_folder / "train" / ".hidden").mkdir()
    for name in ("notes.txt", "._a_0.JPEG", "Thumbs.db"):
        (user_folder / "train" / "a" / name).write_bytes(b"no image")
    for name in ("é.PNG", "b.webp", "c.pgm"):
        (user_folder / "train" / "a" / name).write_bytes(encoded(form="PNG"))
    names = [name for name, _, _ in content(obtained(ONE_CLASS, results, user_folder)["train"])]
    assert names == ["a_0.JPEG", "b.webp", "c.pgm", "é.PNG"]


def test_images_are_read_where_they_are(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 5})
    obtained(ONE_CLASS, results, user_folder)
    assert record(ONE_CLASS, results)["folder"] == str(user_folder)
    assert [path.name for path in (results / ONE_CLASS).rglob("*.JPEG")] == []


def test_the_record_tells_number_and_digest_of_the_images_and_lists_no_file(
    user_folder: Path, results: Path
) -> None:
    class_folders(user_folder, {"a": 10})
    listings = obtained(ONE_CLASS, results, user_folder)
    assert record(ONE_CLASS, results) == {
        "dataset": ONE_CLASS,
        "folder": str(user_folder),
        "splits": {
            "train": {"count": 8, "sha256": listings["train"].digest},
            "test": {"count": 2, "sha256": listings["test"].digest},
        },
    }


def test_the_record_is_another_one_where_images_are_others(
    user_folder: Path, results: Path
) -> None:
    class_folders(user_folder, {"a": 10})
    obtained(ONE_CLASS, results, user_folder)
    first = record(ONE_CLASS, results)
    obtained(ONE_CLASS, results, user_folder)
    assert record(ONE_CLASS, results) == first
    (user_folder / "a" / "a_3.JPEG").write_bytes(encoded(99, size=(80, 60)))
    obtained(ONE_CLASS, results, user_folder)
    assert record(ONE_CLASS, results) != first


def test_the_first_mirror_that_is_there_is_taken(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 5})
    assert len(obtained(ONE_CLASS, results, Path("/no/such/folder"), user_folder)["train"]) == 4


def test_one_folder_is_for_any_size() -> None:
    for name in (FLOWERS, f"{FLOWERS}-short256"):
        assert origin(name) == FLOWERS
    assert origin("imagenet-short256") == "imagenet"


def test_an_empty_class_folder_is_named(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 5, "b": 0})
    with pytest.raises(DataError, match=f"^{user_folder}/b: a class folder with no image"):
        obtained(TWO_CLASSES, results, user_folder)
    assert not (results / TWO_CLASSES / "source.json").exists()


def test_another_number_of_class_folders(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 5, "b": 5, "c": 5, "d": 5})
    with pytest.raises(DataError, match=f"{user_folder}: 4 class folders where 3 were expected"):
        obtained(FLOWERS, results, user_folder)


def test_a_test_class_without_training_images(user_folder: Path, results: Path) -> None:
    class_folders(user_folder / "train", {"a": 1, "b": 1})
    class_folders(user_folder / "val", {"a": 1, "x": 1})
    with pytest.raises(
        DataError, match=f"{user_folder}/val/x: no training images are of this class"
    ):
        obtained(TWO_CLASSES, results, user_folder)


def test_training_folder_without_test_folder(user_folder: Path, results: Path) -> None:
    class_folders(user_folder / "train", {"a": 1})
    with pytest.raises(DataError, match=f"{user_folder}/val: no folder of class folders"):
        obtained(ONE_CLASS, results, user_folder)


def test_no_image_for_the_test(user_folder: Path, results: Path) -> None:
    class_folders(user_folder, {"a": 4})
    with pytest.raises(DataError, match=r"split test; .* a class needs five images"):
        obtained(ONE_CLASS, results, user_folder)


@pytest.mark.parametrize(
    ("dataset", "mirrors", "message"),
    [
        (
            FLOWERS,
            [],
            r"not fetched for you; name the folder .* machine\.mirrors\.folder-flowers-3x24x24-3$",
        ),
        (
            FLOWERS,
            ["/none"],
            r"this machine /none; name the folder .* machine\.mirrors\.folder-flowers-3x24x24-3$",
        ),
        (
            "imagenet-short256",
            ["https://example.org/imagenet"],
            r"image-net\.org.* under machine\.mirrors\.imagenet; synthetic-imagenet needs none$",
        ),
    ],
)
def test_a_missing_folder_is_reported(
    dataset: str, mirrors: list[str], message: str, results: Path
) -> None:
    with pytest.raises(DownloadError, match=message):
        sources.obtain(dataset, results / dataset / "source", mirrors)


def test_made_up_images_need_nothing(results: Path) -> None:
    listings = obtained("synthetic-imagenet", results, subset=False)
    assert [len(listing) for listing in listings.values()] == [1024, 256]
    again = obtained("synthetic-imagenet", results, subset=False)["train"]
    images = [listings["train"].read(number) for number in range(3)]
    assert images == [again.read(number) for number in range(3)]
    assert listings["test"].read(0) != images[0]
    assert [Image.open(io.BytesIO(i)).size for i in images] == [(500, 375), (375, 500), (500, 333)]
    assert 80_000 < np.mean([len(image) for image in images]) < 140_000
    assert listings["train"].labels.max() < 1000
