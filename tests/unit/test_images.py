"""Data sets of image files, listed where they are: class folders, the tars of ILSVRC12."""

import io
import json
import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io
from pictures import class_folders, encoded
from PIL import Image

from trainmark.data import sources
from trainmark.data.addresses import DownloadError
from trainmark.data.chunks import DataError
from trainmark.data.images import Listing, listings
from trainmark.study.datasets import facts, origin

FLOWERS = "folder-flowers-3x24x24-3"
ONE_CLASS, TWO_CLASSES = "folder-one-3x24x24-1", "folder-two-3x24x24-2"
CLASSES = {"n03": 4, "n01": 3, "n02": 5}
VALIDATION = ["n02", "n03", "n02", "n01"]
"""The classes of the validation images by their numbers."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the user has the images."""
    return tmp_path / "mine"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


def obtained(
    dataset: str, results: Path, *mirrors: Path, subset: bool = True
) -> dict[str, Listing]:
    source = results / dataset / "source"
    sources.obtain(dataset, source, list(map(str, mirrors)), subset)
    return listings(facts(dataset), source, subset)


def record(dataset: str, results: Path) -> dict[str, object]:
    return json.loads((results / dataset / "source.json").read_text(encoding="utf-8"))


def content(listing: Listing) -> list[tuple[str, int, bytes]]:
    """Name, label and content of all images, by name."""
    labels = listing.labels.tolist()
    names = [Path(listing.name(number)).name for number in range(len(listing))]
    return sorted((name, labels[n], listing.read(n)) for n, name in enumerate(names))


def expected(folder: Path) -> list[tuple[str, int, bytes]]:
    """The same of class folders, in the plainest way."""
    names = sorted(path.name for path in folder.iterdir())
    files = (
        (file, label) for label, name in enumerate(names) for file in (folder / name).iterdir()
    )
    return sorted((file.name, label, file.read_bytes()) for file, label in files)


@pytest.mark.parametrize("test_folder", ["val", "test"])
def test_training_and_test_folders(place: Path, results: Path, test_folder: str) -> None:
    class_folders(place / "train", CLASSES)
    class_folders(place / test_folder, {"n01": 1, "n03": 2}, first=100)
    found = obtained(FLOWERS, results, place)
    assert content(found["train"]) == expected(place / "train")
    assert sorted(found["train"].labels.tolist()) == [0] * 3 + [1] * 5 + [2] * 4
    assert found["test"].labels.tolist() == [0, 2, 2]
    assert found["test"].name(1) == str(place / test_folder / "n03" / "n03_0.JPEG")


def test_class_folders_alone_are_shared_out(place: Path, results: Path) -> None:
    class_folders(place, {"a": 11, "b": 4, "c": 5})
    found = obtained(FLOWERS, results, place)
    assert content(found["train"]) + content(found["test"]) != []
    assert sorted(content(found["train"]) + content(found["test"])) == expected(place)
    assert found["test"].labels.tolist() == [0, 0, 2]


def test_training_images_are_shuffled_always_alike(place: Path, results: Path) -> None:
    class_folders(place, {"a": 20, "b": 20, "c": 20})
    first, second = (obtained(FLOWERS, results, place) for _ in range(2))
    labels = first["train"].labels
    assert labels.tolist() == second["train"].labels.tolist()
    assert not np.all(np.diff(labels) >= 0)
    assert np.all(np.diff(first["test"].labels) >= 0)


def test_only_image_files_are_taken(place: Path, results: Path) -> None:
    class_folders(place / "train", {"a": 1})
    class_folders(place / "val", {"a": 1})
    (place / "train" / ".hidden").mkdir()
    for name in ("notes.txt", "._a_0.JPEG", "Thumbs.db"):
        (place / "train" / "a" / name).write_bytes(b"no image")
    for name in ("é.PNG", "b.webp", "c.pgm"):
        (place / "train" / "a" / name).write_bytes(encoded(form="PNG"))
    names = [name for name, _, _ in content(obtained(ONE_CLASS, results, place)["train"])]
    assert names == ["a_0.JPEG", "b.webp", "c.pgm", "é.PNG"]


def test_images_are_read_where_they_are(place: Path, results: Path) -> None:
    class_folders(place, {"a": 5})
    obtained(ONE_CLASS, results, place)
    assert record(ONE_CLASS, results)["folder"] == str(place)
    assert [path.name for path in (results / ONE_CLASS).rglob("*.JPEG")] == []


def test_the_record_is_another_one_where_images_are_others(place: Path, results: Path) -> None:
    class_folders(place, {"a": 10})
    obtained(ONE_CLASS, results, place)
    first = record(ONE_CLASS, results)
    obtained(ONE_CLASS, results, place)
    assert record(ONE_CLASS, results) == first
    (place / "a" / "a_3.JPEG").write_bytes(encoded(99, size=(80, 60)))
    obtained(ONE_CLASS, results, place)
    assert record(ONE_CLASS, results) != first


def test_the_first_mirror_that_is_there_is_taken(place: Path, results: Path) -> None:
    class_folders(place, {"a": 5})
    assert len(obtained(ONE_CLASS, results, Path("/no/such/folder"), place)["train"]) == 4


def test_one_folder_is_for_any_size() -> None:
    for name in (FLOWERS, f"{FLOWERS}-short256"):
        assert origin(name) == FLOWERS
    assert origin("imagenet-short256") == "imagenet"


def test_an_empty_class_folder_is_named(place: Path, results: Path) -> None:
    class_folders(place, {"a": 5, "b": 0})
    with pytest.raises(DataError, match=f"^{place}/b: a class folder with no image"):
        obtained(TWO_CLASSES, results, place)
    assert not (results / TWO_CLASSES / "source.json").exists()


def test_another_number_of_class_folders(place: Path, results: Path) -> None:
    class_folders(place, {"a": 5, "b": 5, "c": 5, "d": 5})
    with pytest.raises(DataError, match=f"{place}: 4 class folders where 3 were expected"):
        obtained(FLOWERS, results, place)


def test_a_test_class_without_training_images(place: Path, results: Path) -> None:
    class_folders(place / "train", {"a": 1, "b": 1})
    class_folders(place / "val", {"a": 1, "x": 1})
    with pytest.raises(DataError, match=f"{place}/val/x: no training images are of this class"):
        obtained(TWO_CLASSES, results, place)


def test_training_folder_without_test_folder(place: Path, results: Path) -> None:
    class_folders(place / "train", {"a": 1})
    with pytest.raises(DataError, match=f"{place}/val: no folder of class folders"):
        obtained(ONE_CLASS, results, place)


def test_no_image_for_the_test(place: Path, results: Path) -> None:
    class_folders(place, {"a": 4})
    with pytest.raises(DataError, match=r"split test; .* a class needs five images"):
        obtained(ONE_CLASS, results, place)


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
def test_a_missing_folder_is_told(
    dataset: str, mirrors: list[str], message: str, results: Path
) -> None:
    with pytest.raises(DownloadError, match=message):
        sources.obtain(dataset, results / dataset / "source", mirrors)


def test_made_up_images_need_nothing(results: Path) -> None:
    found = obtained("synthetic-imagenet", results, subset=False)
    assert [len(listing) for listing in found.values()] == [1024, 256]
    again = obtained("synthetic-imagenet", results, subset=False)["train"]
    images = [found["train"].read(number) for number in range(3)]
    assert images == [again.read(number) for number in range(3)]
    assert found["test"].read(0) != images[0]
    assert [Image.open(io.BytesIO(i)).size for i in images] == [(500, 375), (375, 500), (500, 333)]
    assert 80_000 < np.mean([len(image) for image in images]) < 140_000
    assert found["train"].labels.max() < 1000


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """ILSVRC12 in class folders, small."""
    class_folders(tmp_path / "folders" / "train", CLASSES)
    for number, wordnet_id in enumerate(VALIDATION, start=1):
        folder = tmp_path / "folders" / "val" / wordnet_id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"ILSVRC2012_val_{number:08d}.JPEG").write_bytes(encoded(100 + number))
    return tmp_path / "folders"


def add_tar(archive: Path, files: list[Path], form: int = tarfile.GNU_FORMAT) -> Path:
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w", format=form) as tar:
        for file in files:
            tar.add(file, file.name)
    return archive


def add_training_tar(place: Path, folders: Path, form: int = tarfile.GNU_FORMAT) -> Path:
    """The official layout: a tar of tars, one for each class."""
    parts = [
        add_tar(place.with_name("parts") / f"{folder.name}.tar", sorted(folder.iterdir()), form)
        for folder in (folders / "train").iterdir()
    ]
    return add_tar(place / "ILSVRC2012_img_train.tar", parts, form)


def add_validation_tar(place: Path, folders: Path) -> Path:
    return add_tar(place / "ILSVRC2012_img_val.tar", list((folders / "val").rglob("*.JPEG")))


def add_devkit(place: Path, ids: dict[str, int] | None = None) -> Path:
    """The development kit, unpacked, with synsets beyond the classes as the official one has."""
    ids = ids or {"n02": 1, "n03": 2, "n01": 3, "n99": 4}
    data = place / "ILSVRC2012_devkit_t12" / "data"
    data.mkdir(parents=True)
    fields = [("ILSVRC2012_ID", object), ("WNID", object), ("words", object)]
    synsets = np.array([[(i, wnid, "some words")] for wnid, i in ids.items()], dtype=fields)
    scipy.io.savemat(data / "meta.mat", {"synsets": synsets})
    truth = "".join(f"{ids[wnid]}\n" for wnid in VALIDATION)
    (data / "ILSVRC2012_validation_ground_truth.txt").write_text(truth)
    return data.parent


def pack_devkit(place: Path) -> None:
    unpacked = add_devkit(place)
    with tarfile.open(f"{unpacked}.tar.gz", "w:gz") as tar:
        tar.add(unpacked, unpacked.name)
    shutil.rmtree(unpacked)


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT, tarfile.PAX_FORMAT])
def test_the_official_tars_are_read_in_place(
    place: Path, results: Path, folders: Path, form: int
) -> None:
    add_training_tar(place, folders, form)
    add_validation_tar(place, folders)
    pack_devkit(place)
    found = obtained("imagenet", results, place)
    assert content(found["train"]) == expected(folders / "train")
    assert content(found["test"]) == expected(folders / "val")
    assert found["test"].labels.tolist() == [1, 2, 1, 0]
    assert found["test"].name(0) == f"{place}/ILSVRC2012_img_val.tar/ILSVRC2012_val_00000001.JPEG"


def test_class_folders_are_the_same_data_in_the_same_order(
    place: Path, results: Path, folders: Path
) -> None:
    add_training_tar(place, folders)
    add_validation_tar(place, folders)
    add_devkit(place)
    tars = obtained("imagenet", results / "tars", place)["train"]
    files = obtained("imagenet", results / "folders", folders)["train"]
    assert [tars.read(n) for n in range(len(tars))] == [files.read(n) for n in range(len(files))]


def test_flat_validation_images_take_their_labels_from_the_devkit(
    place: Path, results: Path, folders: Path
) -> None:
    shutil.copytree(folders / "train", place / "train")
    (place / "val").mkdir()
    for path in (folders / "val").rglob("*.JPEG"):
        shutil.copy(path, place / "val")
    add_devkit(place)
    assert content(obtained("imagenet", results, place)["test"]) == expected(folders / "val")


def test_a_part_of_the_validation_images_has_the_right_labels(
    place: Path, results: Path, folders: Path
) -> None:
    shutil.copytree(folders / "train", place / "train")
    (place / "val").mkdir()
    shutil.copy(folders / "val" / "n03" / "ILSVRC2012_val_00000002.JPEG", place / "val")
    add_devkit(place)
    assert obtained("imagenet", results, place)["test"].labels.tolist() == [2]


def test_without_the_devkit_flat_validation_images_are_refused(
    place: Path, results: Path, folders: Path
) -> None:
    add_training_tar(place, folders)
    add_validation_tar(place, folders)
    with pytest.raises(DataError, match=r"stand in ILSVRC2012_devkit_t12\.tar\.gz, which can't"):
        obtained("imagenet", results, place)


def test_a_devkit_of_other_classes_is_refused(place: Path, results: Path, folders: Path) -> None:
    add_training_tar(place, folders)
    add_validation_tar(place, folders)
    add_devkit(place, {"n02": 1, "n03": 2, "n01": 3}).joinpath(
        "data/ILSVRC2012_validation_ground_truth.txt"
    ).write_text("7\n" * 4)
    with pytest.raises(DataError, match="doesn't tell the class of each validation image"):
        obtained("imagenet", results, place)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("train", r"no training images; it needs ILSVRC2012_img_train\.tar or the folder train"),
        ("val", r"no validation images; it needs ILSVRC2012_img_val\.tar or the folder val"),
    ],
)
def test_missing_images_are_told(folders: Path, results: Path, missing: str, message: str) -> None:
    shutil.rmtree(folders / missing)
    with pytest.raises(DataError, match=message):
        obtained("imagenet", results, folders)


def test_fewer_images_must_be_meant(folders: Path, results: Path) -> None:
    with pytest.raises(DataError, match=r"12 images where 1281167 .* machine\.subset"):
        obtained("imagenet", results, folders, subset=False)


@pytest.mark.parametrize("kept_bytes", [700, 20_000])
def test_a_truncated_tar_is_told(
    place: Path, results: Path, folders: Path, kept_bytes: int
) -> None:
    archive = add_training_tar(place, folders)
    archive.write_bytes(archive.read_bytes()[:kept_bytes])
    with pytest.raises(DataError, match=r"img_train\.tar: (ends within|no tar file, or a damaged)"):
        obtained("imagenet", results, place)


def test_an_empty_tar_of_a_class_is_told(place: Path, results: Path, folders: Path) -> None:
    shutil.rmtree(folders / "train" / "n02")
    (folders / "train" / "n02").mkdir()
    archive = add_training_tar(place, folders)
    with pytest.raises(DataError, match=f"{archive}: no image in n02.tar"):
        obtained("imagenet", results, place)
