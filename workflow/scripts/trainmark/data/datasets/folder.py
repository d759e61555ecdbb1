"""Folder: any folder of class folders with image files.

It holds `train` and `val` (or `test`) with class folders each, or the class folders alone: then
every fifth image of a class is a test image.
"""

from pathlib import Path

from trainmark.data.read import class_folders
from trainmark.data.read.images import Files, shuffled
from trainmark.study.datasets import facts

TRAIN_COUNT = None
TEST_COUNT = None
ENCODED = True
SOURCE_FILES = ()
HOW_TO_GET = "name the folder of its class folders under {place}"

TEST_FOLDERS = ("val", "test")


def listing(source: Path, split: str) -> Files:
    """List the images of a split; `source` is the folder, or a link to it.

    Raises DataError for folders that are no class folders of this data set.
    """
    place = source.resolve()
    parted = _is_parted(place)
    training = place / "train" if parted else place
    classes = class_folders.class_names(training)
    expected = facts(source.parent.name).classes
    class_folders.check_classes(classes, training, expected, expected)
    if parted:
        folder = training if split == "train" else _test_folder(place)
        found = class_folders.listed(folder, classes)
    else:
        listed = class_folders.listed(place, classes)
        folder, found = place, class_folders.shared_out(listed, split)
    return Files(folder, shuffled(found) if split == "train" else found)


def _is_parted(place: Path) -> bool:
    """Whether the folder train is a split's: a class could have that name too."""
    names = class_folders.class_names(place)
    return names == ["train"] or ("train" in names and not set(TEST_FOLDERS).isdisjoint(names))


def _test_folder(place: Path) -> Path:
    return next(
        (place / name for name in TEST_FOLDERS if (place / name).is_dir()), place / TEST_FOLDERS[0]
    )
