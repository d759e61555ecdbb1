"""Caltech-101: 8,677 photographs of 101 kinds of objects, about 300x200 pixels, in class folders.

L. Fei-Fei, R. Fergus, P. Perona (2004), Learning generative visual models from few training
examples; https://data.caltech.edu/records/mzrjq-6wc02, which also publishes the md5
(3138e1922a9193bfa496528edbbc45d0). Size and sha256 are those of TensorFlow Datasets.

No split is published. Here every fifth image of a class, by name, is a test image: image_0005.jpg,
image_0010.jpg and so on. The folder BACKGROUND_Google is left out: it is of no kind of object.
"""

from pathlib import Path

from trainmark.data.read import class_folders
from trainmark.data.read.images import Files, shuffled

IMAGE_SHAPE = (3, 224, 224)
CLASSES = 101
TRAIN_COUNT = 6982
TEST_COUNT = 1695
ENCODED = True
SOURCE_FILES = (
    {
        "name": "caltech-101.zip",
        "bytes": 137414764,
        "sha256": "331234750fc7f77520e50d9565e8b6907b03565e30320da1401130db08c61f91",
        "urls": ("https://data.caltech.edu/records/mzrjq-6wc02/files/caltech-101.zip",),
        "tree": {
            "name": "101_ObjectCategories",
            "files": "*/*.jpg",
            "nested": "101_ObjectCategories.tar.gz",
        },
    },
)

BACKGROUND = "BACKGROUND_Google"


def listing(source: Path, split: str) -> Files:
    """List the images of a split; of a part of the data set, those of the classes in it.

    Raises DataError for more class folders than there are classes.
    """
    folder = source / "101_ObjectCategories"
    classes = [name for name in class_folders.class_names(folder) if name != BACKGROUND]
    class_folders.check_classes(classes, folder, 1, CLASSES)
    images = class_folders.shared_out(class_folders.listed(folder, classes, {BACKGROUND}), split)
    return Files(folder, shuffled(images) if split == "train" else images)
