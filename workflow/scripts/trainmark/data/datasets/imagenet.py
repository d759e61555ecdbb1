"""ImageNet: the 1,281,167 training and 50,000 validation images of ILSVRC12, in 1,000 classes.

O. Russakovsky et al. (2015), ImageNet Large Scale Visual Recognition Challenge;
https://www.image-net.org/challenges/LSVRC/2012/. It is read where the user has it: the official
tar files (the one of the training images holds one for each class), or what was unpacked of them.
The training images are those of classes named by WordNet ids; the labels are their ranks.
"""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from trainmark.data.errors import DataError
from trainmark.data.read import class_folders, devkit, tars
from trainmark.data.read.images import (
    Files,
    Listing,
    Members,
    Row,
    is_image,
    joined,
    rows,
    shuffled,
)

IMAGE_SHAPE = (3, 224, 224)
CLASSES = 1000
TRAIN_COUNT = 1281167
TEST_COUNT = 50000
ENCODED = True
SOURCE_FILES = ()
HOW_TO_GET = (
    "register at https://image-net.org, download ILSVRC2012_img_train.tar, ILSVRC2012_img_val.tar "
    "and ILSVRC2012_devkit_t12.tar.gz, and name their folder under {key}; synthetic-imagenet "
    "needs none"
)

TRAIN_TAR = "ILSVRC2012_img_train.tar"
VAL_TAR = "ILSVRC2012_img_val.tar"


def listing(source: Path, split: str) -> Listing:
    """List the images of a split; `source` is the folder, or a link to it.

    Raises DataError where images or the development kit are missing, or are others.
    """
    root = source.resolve()
    return _training(root) if split == "train" else _validation(root)


def _training(root: Path) -> Listing:
    classes = _classes(root)
    if (root / "train").is_dir():
        return Files(root / "train", shuffled(class_folders.listed(root / "train", classes)))
    labels = {name: label for label, name in enumerate(classes)}
    archive = root / TRAIN_TAR
    parts = [
        rows(_class(archive, part, labels[PurePath(part.name).stem]))
        for part in sorted(tars.members(archive))
    ]
    return Members(archive, shuffled(joined(parts)))


def _class(archive: Path, part: tars.Member, label: int) -> list[Row]:
    images = sorted(m for m in tars.members_within(archive, part) if is_image(m.name))
    if not images:
        raise DataError(f"{archive}: no image in {part.name}; fetch it anew")
    return [_row(image, label) for image in images]


def _classes(root: Path) -> list[str]:
    """The sorted WordNet ids of the training images."""
    if (root / "train").is_dir():
        names = class_folders.class_names(root / "train")
    elif (root / TRAIN_TAR).is_file():
        names = sorted(PurePath(m.name).stem for m in tars.members(root / TRAIN_TAR))
    else:
        raise DataError(f"{root}: no training images; it needs {TRAIN_TAR} or the folder train")
    class_folders.check_classes(names, root, 1, CLASSES)
    return names


def _validation(root: Path) -> Listing:
    classes, folder, archive = _classes(root), root / "val", root / VAL_TAR
    if folder.is_dir() and class_folders.class_names(folder):
        return Files(folder, class_folders.listed(folder, classes))
    if folder.is_dir():
        files = sorted(path for path in folder.iterdir() if is_image(path.name))
        statuses = [path.stat() for path in files]
        members = [
            tars.Member(path.name, 0, status.st_size, status.st_mtime_ns)
            for path, status in zip(files, statuses, strict=True)
        ]
        return Files(folder, rows(_labelled(root, members, classes)))
    if archive.is_file():
        members = sorted(m for m in tars.members(archive) if is_image(m.name))
        return Members(archive, rows(_labelled(root, members, classes)))
    raise DataError(f"{root}: no validation images; it needs {VAL_TAR} or the folder val")


def _labelled(root: Path, members: Sequence[tars.Member], classes: Sequence[str]) -> list[Row]:
    labels = devkit.labels(root, [member.name for member in members], classes)
    return [_row(member, label) for member, label in zip(members, labels, strict=True)]


def _row(member: tars.Member, label: int) -> Row:
    return os.fsencode(member.name), member.bytes, label, member.offset, member.mtime_ns
