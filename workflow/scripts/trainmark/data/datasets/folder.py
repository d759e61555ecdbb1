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
HOW_TO_GET = "name the folder of its class folders under {key}"

TEST_FOLDERS = ("val", "test")


def listing(source: Path, split: str) -> Files:
    """List the images of a split; `source` is the folder, or a link to it.

    Raises DataError for folders that are no class folders of this data set.
    """
    root = source.resolve()
    parted = _is_parted(root)
    training = root / "train" if parted else root
    classes = class_folders.class_names(training)
    expected = facts(source.parent.name).classes
    class_folders.check_classes(classes, training, expected, expected)
    if parted:
        folder = training if split == "train" else _test_folder(root)
        listed_images = class_folders.listed(folder, classes)
    else:
        listed = class_folders.listed(root, classes)
        folder, listed_images = root, class_folders.shared_out(listed, split)
    return Files(folder, shuffled(listed_images) if split == "train" else listed_images)


def _is_parted(root: Path) -> bool:
    """Whether the folder train is a split's: a class could have that name too."""
    names = class_folders.class_names(root)
    return names == ["train"] or ("train" in names and not set(TEST_FOLDERS).isdisjoint(names))


def _test_folder(root: Path) -> Path:
    return next(
        (root / name for name in TEST_FOLDERS if (root / name).is_dir()), root / TEST_FOLDERS[0]
    )
