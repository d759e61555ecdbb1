"""What a study must know about a data set before any of it is there: its shape and its size."""

import re
from dataclasses import dataclass

from trainmark.study import plugins

SYNTHETIC = "synthetic"
SYNTHETIC_SHAPE = re.compile(
    rf"{SYNTHETIC}-([13])x([1-9]\d*)x([1-9]\d*)-([1-9]\d*)", flags=re.ASCII
)


@dataclass(frozen=True)
class DataSetFacts:
    """Shape and size of a data set; `plugin` is the file that reads it."""

    name: str
    plugin: str
    image_shape: tuple[int, int, int]
    """Channels, height, width."""
    classes: int
    train_count: int
    test_count: int


def real_names() -> list[str]:
    """The data sets that have images of their own."""
    return [name for name in plugins.names("data set") if name != SYNTHETIC]


def facts(name: str) -> DataSetFacts:
    """The facts of a data set, real or synthetic.

    A synthetic one is named after a real one (`synthetic-cifar10`, of the same shape and size) or
    after its own shape and number of classes (`synthetic-3x64x64-10`).

    Raises plugins.UnknownPlugin, which lists the names there are.
    """
    if name in real_names():
        return _from_plugin(name, of=name)
    origin = name.removeprefix(f"{SYNTHETIC}-")
    if origin != name and origin in real_names():
        return _from_plugin(name, of=origin)
    if shape := SYNTHETIC_SHAPE.fullmatch(name):
        return _from_shape(name, *map(int, shape.groups()))
    raise plugins.UnknownPlugin(
        f"unknown data set '{name}'; known: {', '.join(real_names())}, {SYNTHETIC}-<one of these>, "
        f"{SYNTHETIC}-<1 or 3 channels>x<height>x<width>-<classes>"
    )


def _from_plugin(name: str, of: str) -> DataSetFacts:
    found = plugins.facts("data set", of)
    return DataSetFacts(
        name=name,
        plugin=of if name == of else SYNTHETIC,
        image_shape=found["IMAGE_SHAPE"],
        classes=found["CLASSES"],
        train_count=found["TRAIN_COUNT"],
        test_count=found["TEST_COUNT"],
    )


def _from_shape(name: str, channels: int, height: int, width: int, classes: int) -> DataSetFacts:
    found = plugins.facts("data set", SYNTHETIC)
    shape = (channels, height, width)
    return DataSetFacts(name, SYNTHETIC, shape, classes, found["TRAIN_COUNT"], found["TEST_COUNT"])
