"""Image files in folders that are named after their classes."""

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from trainmark.data.errors import DataError
from trainmark.data.read.images import Rows, is_image, joined, rows

TEST_SHARE = 5


def class_names(folder: Path) -> list[str]:
    """The sorted names of the class folders in a folder; raises DataError where it is none."""
    try:
        with os.scandir(folder) as entries:
            return sorted(e.name for e in entries if e.is_dir() and not e.name.startswith("."))
    except OSError as error:
        raise DataError(f"{folder}: no folder of class folders ({error.strerror})") from error


def check_classes(names: Sequence[str], folder: Path, least: int, most: int) -> None:
    """Raise DataError for fewer or more classes than there may be."""
    if not least <= len(names) <= most:
        raise DataError(f"{folder}: {len(names)} class folders where {most} were expected")


def listed(folder: Path, classes: Sequence[str], left_out: Collection[str] = ()) -> Rows:
    """The images in the class folders of a folder, by class and name; labels by `classes`.

    Raises DataError for a class folder without images and for one that is neither in `classes` nor
    among those that are left out.
    """
    names = [name for name in class_names(folder) if name not in left_out]
    if unknown := sorted(set(names) - set(classes)):
        raise DataError(f"{folder / unknown[0]}: no training images are of this class")
    labels = {name: label for label, name in enumerate(classes)}
    return joined([_class(folder, name, labels[name]) for name in names])


def shared_out(images: Rows, split: str) -> Rows:
    """The rows of a split: every fifth image of a class, by name, is a test image."""
    labels = images["label"]
    numbers = np.arange(len(labels)) - np.searchsorted(labels, labels)
    testing = numbers % TEST_SHARE == TEST_SHARE - 1
    share: Rows = images[testing if split == "test" else ~testing]
    return share


def _class(folder: Path, name: str, label: int) -> Rows:
    with os.scandir(folder / name) as entries:
        images = sorted((e.name, e.stat()) for e in entries if is_image(e.name))
    if others := [file for file, status in images if not stat.S_ISREG(status.st_mode)]:
        raise DataError(f"{folder / name / others[0]}: not a file; remove it")
    if not images:
        raise DataError(f"{folder / name}: a class folder with no image; fill it or remove it")
    return rows(
        [
            (os.fsencode(f"{name}/{file}"), status.st_size, label, 0, status.st_mtime_ns)
            for file, status in images
        ]
    )
