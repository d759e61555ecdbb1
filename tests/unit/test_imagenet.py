"""ImageNet, listed where the user has it: the tars of ILSVRC12, or what was unpacked of them."""

import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io
from listed_images import content, expected, obtained
from pictures import class_folders, encoded

from trainmark.data.errors import DataError

CLASSES = {"n03": 4, "n01": 3, "n02": 5}
VALIDATION = ["n02", "n03", "n02", "n01"]
"""The classes of the validation images by their numbers."""


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


def add_training_tar(user_folder: Path, folders: Path, form: int = tarfile.GNU_FORMAT) -> Path:
    """The official layout: a tar of tars, one for each class."""
    parts = [
        add_tar(
            user_folder.with_name("parts") / f"{folder.name}.tar", sorted(folder.iterdir()), form
        )
        for folder in (folders / "train").iterdir()
    ]
    return add_tar(user_folder / "ILSVRC2012_img_train.tar", parts, form)


def add_validation_tar(user_folder: Path, folders: Path) -> Path:
    return add_tar(user_folder / "ILSVRC2012_img_val.tar", list((folders / "val").rglob("*.JPEG")))


def add_devkit(user_folder: Path, ids: dict[str, int] | None = None) -> Path:
    """The development kit, unpacked, with synsets beyond the classes as the official one has."""
    ids = ids or {"n02": 1, "n03": 2, "n01": 3, "n99": 4}
    data = user_folder / "ILSVRC2012_devkit_t12" / "data"
    data.mkdir(parents=True)
    fields = [("ILSVRC2012_ID", object), ("WNID", object), ("words", object)]
    synsets = np.array([[(i, wnid, "some words")] for wnid, i in ids.items()], dtype=fields)
    scipy.io.savemat(data / "meta.mat", {"synsets": synsets})
    truth = "".join(f"{ids[wnid]}\n" for wnid in VALIDATION)
    (data / "ILSVRC2012_validation_ground_truth.txt").write_text(truth)
    return data.parent


def pack_devkit(user_folder: Path) -> None:
    unpacked = add_devkit(user_folder)
    with tarfile.open(f"{unpacked}.tar.gz", "w:gz") as tar:
        tar.add(unpacked, unpacked.name)
    shutil.rmtree(unpacked)


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT, tarfile.PAX_FORMAT])
def test_the_official_tars_are_read_in_place(
    user_folder: Path, results: Path, folders: Path, form: int
) -> None:
    add_training_tar(user_folder, folders, form)
    add_validation_tar(user_folder, folders)
    pack_devkit(user_folder)
    listings = obtained("imagenet", results, user_folder)
    assert content(listings["train"]) == expected(folders / "train")
    assert content(listings["test"]) == expected(folders / "val")
    assert listings["test"].labels.tolist() == [1, 2, 1, 0]
    assert (
        listings["test"].name(0)
        == f"{user_folder}/ILSVRC2012_img_val.tar/ILSVRC2012_val_00000001.JPEG"
    )


def test_class_folders_are_the_same_data_in_the_same_order(
    user_folder: Path, results: Path, folders: Path
) -> None:
    add_training_tar(user_folder, folders)
    add_validation_tar(user_folder, folders)
    add_devkit(user_folder)
    tars = obtained("imagenet", results / "tars", user_folder)["train"]
    files = obtained("imagenet", results / "folders", folders)["train"]
    assert [tars.read(n) for n in range(len(tars))] == [files.read(n) for n in range(len(files))]


def test_flat_validation_images_take_their_labels_from_the_devkit(
    user_folder: Path, results: Path, folders: Path
) -> None:
    shutil.copytree(folders / "train", user_folder / "train")
    (user_folder / "val").mkdir()
    for path in (folders / "val").rglob("*.JPEG"):
        shutil.copy(path, user_folder / "val")
    add_devkit(user_folder)
    assert content(obtained("imagenet", results, user_folder)["test"]) == expected(folders / "val")


def test_a_part_of_the_validation_images_has_the_right_labels(
    user_folder: Path, results: Path, folders: Path
) -> None:
    shutil.copytree(folders / "train", user_folder / "train")
    (user_folder / "val").mkdir()
    shutil.copy(folders / "val" / "n03" / "ILSVRC2012_val_00000002.JPEG", user_folder / "val")
    add_devkit(user_folder)
    assert obtained("imagenet", results, user_folder)["test"].labels.tolist() == [2]


def test_without_the_devkit_flat_validation_images_are_refused(
    user_folder: Path, results: Path, folders: Path
) -> None:
    add_training_tar(user_folder, folders)
    add_validation_tar(user_folder, folders)
    with pytest.raises(DataError, match=r"stand in ILSVRC2012_devkit_t12\.tar\.gz, which can't"):
        obtained("imagenet", results, user_folder)


def test_a_devkit_of_other_classes_is_refused(
    user_folder: Path, results: Path, folders: Path
) -> None:
    add_training_tar(user_folder, folders)
    add_validation_tar(user_folder, folders)
    add_devkit(user_folder, {"n02": 1, "n03": 2, "n01": 3}).joinpath(
        "data/ILSVRC2012_validation_ground_truth.txt"
    ).write_text("7\n" * 4)
    with pytest.raises(DataError, match="doesn't tell the class of each validation image"):
        obtained("imagenet", results, user_folder)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("train", r"no training images; it needs ILSVRC2012_img_train\.tar or the folder train"),
        ("val", r"no validation images; it needs ILSVRC2012_img_val\.tar or the folder val"),
    ],
)
def test_missing_images_are_reported(
    folders: Path, results: Path, missing: str, message: str
) -> None:
    shutil.rmtree(folders / missing)
    with pytest.raises(DataError, match=message):
        obtained("imagenet", results, folders)


def test_fewer_images_must_be_meant(folders: Path, results: Path) -> None:
    with pytest.raises(DataError, match=r"12 images where 1281167 .* machine\.subset"):
        obtained("imagenet", results, folders, subset=False)


@pytest.mark.parametrize("kept_bytes", [700, 20_000])
def test_a_truncated_tar_is_reported(
    user_folder: Path, results: Path, folders: Path, kept_bytes: int
) -> None:
    archive = add_training_tar(user_folder, folders)
    archive.write_bytes(archive.read_bytes()[:kept_bytes])
    with pytest.raises(DataError, match=r"img_train\.tar: (ends within|no tar file, or a damaged)"):
        obtained("imagenet", results, user_folder)


def test_an_empty_tar_of_a_class_is_reported(
    user_folder: Path, results: Path, folders: Path
) -> None:
    shutil.rmtree(folders / "train" / "n02")
    (folders / "train" / "n02").mkdir()
    archive = add_training_tar(user_folder, folders)
    with pytest.raises(DataError, match=f"{archive}: no image in n02.tar"):
        obtained("imagenet", results, user_folder)
