"""The facts of a data set that a study needs before it is downloaded: its shape and its size."""

import re
from dataclasses import dataclass, replace

from trainmark.errors import TrainmarkError
from trainmark.study import plugins

SYNTHETIC, GENERATED, FOLDER = "synthetic", "generated", "folder"
SHAPE = r"x([1-9]\d*)x([1-9]\d*)-([1-9]\d*)"
SYNTHETIC_SHAPE = re.compile(rf"{SYNTHETIC}-([13]){SHAPE}", flags=re.ASCII)
FOLDER_SHAPE = re.compile(rf"{FOLDER}-[a-z0-9_]+-(3){SHAPE}", flags=re.ASCII)
RESIZED = re.compile(r"(.+)-short([1-9]\d{0,3})", flags=re.ASCII)


class NotResizable(TrainmarkError):
    """A size asked of a data set whose images are stored as pixels."""


@dataclass(frozen=True)
class DataSetFacts:
    """Shape and size of a data set; `plugin` is the file that reads it."""

    name: str
    plugin: str
    image_shape: tuple[int, int, int]
    """Channels, height, width; of image files, those of the part of an image that is trained on."""
    classes: int
    train_count: int | None
    """None where it is known only once the images are there."""
    test_count: int | None
    encoded: bool = False
    """Whether its images are image files, which stay encoded until a framework reads them."""
    short_side: int | None = None
    """To which the shorter side of its image files is resized before; None: files untouched."""

    def count(self, split: str) -> int | None:
        """How many images "train" or "test" has."""
        return self.train_count if split == "train" else self.test_count

    def sized(self, size: int | None) -> "DataSetFacts":
        """The same with images of which another square is trained on; None: as it is.

        Raises NotResizable.
        """
        if size is None:
            return self
        if not self.encoded:
            raise NotResizable(
                f"image_size is for data sets of image files; {self.name} is stored as pixels"
            )
        return replace(self, image_shape=(self.image_shape[0], size, size))


def real_names() -> list[str]:
    """The data sets that have images of their own, and so a shape."""
    return [
        name
        for name in plugins.names("data set")
        if "IMAGE_SHAPE" in plugins.facts("data set", name)
    ]


def origin(name: str) -> str:
    """The data set before resizing; what machine.mirrors and machine.subset say of it holds too."""
    resized = RESIZED.fullmatch(name)
    return resized[1] if resized else name


def facts(name: str) -> DataSetFacts:
    """The facts of a data set, real or synthetic.

    A synthetic one is named after a real one (`synthetic-cifar10`, of the same shape and size) or
    after its own shape and number of classes (`synthetic-3x64x64-10`). A folder of class folders
    has a name of the user's, what is trained on of its images, and the number of its classes
    (`folder-flowers-3x224x224-5`). Behind a data set of image files `-short256` has its images
    resized so that the shorter side is 256.

    Raises plugins.UnknownPlugin, which lists the names there are.
    """
    resized = RESIZED.fullmatch(name)
    if resized and (untouched := _find(resized[1])) and untouched.encoded:
        return replace(untouched, name=name, short_side=int(resized[2]))
    found = _find(name)
    if found:
        return found
    raise plugins.UnknownPlugin(
        f"unknown data set '{name}'; known: {', '.join(real_names())}, {SYNTHETIC}-<one of these>, "
        f"{SYNTHETIC}-<1 or 3 channels>x<height>x<width>-<classes>, "
        f"{FOLDER}-<your name>-3x<height>x<width>-<classes>; "
        "-short<pixels> behind imagenet or a folder resizes its images"
    )


def _find(name: str) -> DataSetFacts | None:
    if name in real_names():
        return _from_plugin(name, of=name)
    real = name.removeprefix(f"{SYNTHETIC}-")
    if real != name and real in real_names():
        return _synthetic(name, of=real)
    if shape := SYNTHETIC_SHAPE.fullmatch(name):
        return _from_shape(name, SYNTHETIC, *map(int, shape.groups()))
    if shape := FOLDER_SHAPE.fullmatch(name):
        return _from_shape(name, FOLDER, *map(int, shape.groups()))
    return None


def _from_plugin(name: str, of: str) -> DataSetFacts:
    found = plugins.facts("data set", of)
    return DataSetFacts(
        name=name,
        plugin=of,
        image_shape=found["IMAGE_SHAPE"],
        classes=found["CLASSES"],
        train_count=found["TRAIN_COUNT"],
        test_count=found["TEST_COUNT"],
        encoded=found.get("ENCODED", False),
    )


def _synthetic(name: str, of: str) -> DataSetFacts:
    """As many random images as the real ones; of image files, which take more room, fewer."""
    real = _from_plugin(name, of)
    if not real.encoded:
        return replace(real, plugin=SYNTHETIC)
    train_count, test_count = _counts(GENERATED)
    return replace(real, plugin=GENERATED, train_count=train_count, test_count=test_count)


def _from_shape(
    name: str, plugin: str, channels: int, height: int, width: int, classes: int
) -> DataSetFacts:
    shape = (channels, height, width)
    encoded = plugins.facts("data set", plugin).get("ENCODED", False)
    return DataSetFacts(name, plugin, shape, classes, *_counts(plugin), encoded=encoded)


def _counts(plugin: str) -> tuple[int | None, int | None]:
    found = plugins.facts("data set", plugin)
    return found["TRAIN_COUNT"], found["TEST_COUNT"]
