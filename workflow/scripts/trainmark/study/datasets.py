"""The facts of a data set that a study needs before it is downloaded: its shape and its size.

A name may end in variants (`mnist-first50000-32x32`). The conversion makes a variant from the
images of the data set before it, so that one download serves all variants.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainmark.errors import TrainmarkError, with_hint
from trainmark.study import plugins
from worker.networks.neutral.tokens import BYTES

SYNTHETIC, GENERATED, FOLDER, TEXT = "synthetic", "generated", "folder", "text"
SHAPE = r"x([1-9]\d*)x([1-9]\d*)-([1-9]\d*)"
SYNTHETIC_SHAPE = re.compile(rf"{SYNTHETIC}-([13]){SHAPE}", flags=re.ASCII)
FOLDER_SHAPE = re.compile(rf"{FOLDER}-[a-z0-9_]+-(3){SHAPE}", flags=re.ASCII)
TEXT_NAME = re.compile(rf"{TEXT}-[a-z0-9_]+", flags=re.ASCII)
TEXT_SHAPE = (1, 1, 128)
"""The usual shape of a window of text; its classes are the values of a byte."""
RESIZED = re.compile(r"(.+)-short([1-9]\d{0,3})", flags=re.ASCII)
MOST_PADDING = 8
NUMBER = re.compile(r"<(\w+)>")
"""The placeholder of a number in the NAME of a variant."""


class TooLargeCrop(TrainmarkError):
    """A square that doesn't fit into images that are stored as pixels."""


class NoSuchVariant(TrainmarkError):
    """A variant that can't be made of the data set before it in the name."""


@dataclass(frozen=True)
class DataSetFacts:
    """Shape and size of a data set; `plugin` is the file that reads it."""

    name: str
    plugin: str
    image_shape: tuple[int, int, int]
    """Channels, height, width; for image files, the shape of the crop that is trained on."""
    classes: int
    train_count: int | None
    """Training images; None where their number is known only after the download."""
    test_count: int | None
    encoded: bool = False
    """Whether its images are image files, which stay encoded until a framework reads them."""
    short_side: int | None = None
    """The length in pixels to which the conversion resizes the shorter side; None: no resizing."""
    base: str | None = None
    """The data set that a variant is made of; None for others."""
    variant: str | None = None
    """The plug-in that makes a variant; None for others."""

    def count(self, split: str) -> int | None:
        """The number of images in "train" or "test"."""
        return self.train_count if split == "train" else self.test_count

    def sized(self, size: int | None) -> "DataSetFacts":
        """The facts with a crop of size x size pixels to train on; None: unchanged.

        Raises TooLargeCrop.
        """
        if size is None:
            return self
        if not self.encoded and size > min(self.image_shape[1:]):
            stored = "x".join(map(str, self.image_shape[1:]))
            raise TooLargeCrop(
                f"image_size {size} is more than the images of {self.name} have, {stored}"
            )
        return replace(self, image_shape=(self.image_shape[0], size, size))


def real_names() -> list[str]:
    """The data sets with images of their own, which state a shape."""
    return [
        name
        for name in plugins.names("data set")
        if "IMAGE_SHAPE" in plugins.facts("data set", name)
    ]


def origin(name: str) -> str:
    """The downloaded data set that a resized one or a variant is made of; else the name itself.

    Its entries in machine.mirrors and machine.subset hold for these too.
    """
    before = _before(name)
    return name if before is None else origin(before)


def facts(name: str) -> DataSetFacts:
    """The facts of a data set, real or synthetic.

    A synthetic data set is named after a real one (`synthetic-cifar10`, with the same shape and
    size) or after its shape and number of classes (`synthetic-3x64x64-10`). A folder of class
    folders is named by the user's name for it, the shape of its crops and the number of classes
    (`folder-flowers-3x224x224-5`), a folder of text files by the user's name alone (`text-mine`).
    The ending `-short256` resizes image files so that the shorter side is 256 pixels. The name of a
    variant may follow the name of a data set of pixels or of text.

    Raises plugins.UnknownPlugin, which lists the known names, and NoSuchVariant.
    """
    resized = RESIZED.fullmatch(name)
    if resized and (untouched := _find(resized[1])) and untouched.encoded:
        return replace(untouched, name=name, short_side=int(resized[2]))
    if dataset := _find(name) or _varied(name):
        return dataset
    variants = (
        f"-{plugins.facts('variant', variant)['NAME']}" for variant in plugins.names("variant")
    )
    raise plugins.UnknownPlugin(
        f"unknown data set {with_hint(name, real_names())}; known: {', '.join(real_names())}, "
        f"{SYNTHETIC}-<one of these>, "
        f"{SYNTHETIC}-<1 or 3 channels>x<height>x<width>-<classes>, "
        f"{FOLDER}-<your name>-3x<height>x<width>-<classes>, {TEXT}-<your name>; "
        "-short<pixels> behind one of image files resizes these; behind one of pixels may stand "
        f"{', '.join(variants)}"
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
    if TEXT_NAME.fullmatch(name) and not _matches(name.removeprefix(f"{TEXT}-")):
        return DataSetFacts(name, TEXT, TEXT_SHAPE, BYTES, *_counts(TEXT))
    return None


def _from_plugin(name: str, of: str) -> DataSetFacts:
    constants = plugins.facts("data set", of)
    return DataSetFacts(
        name=name,
        plugin=of,
        image_shape=constants["IMAGE_SHAPE"],
        classes=constants["CLASSES"],
        train_count=constants["TRAIN_COUNT"],
        test_count=constants["TEST_COUNT"],
        encoded=constants.get("ENCODED", False),
    )


def _synthetic(name: str, of: str) -> DataSetFacts:
    """A synthetic data set with a real one's shape and counts.

    Of image files it has fewer images, as they are larger.
    """
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
    constants = plugins.facts("data set", plugin)
    return constants["TRAIN_COUNT"], constants["TEST_COUNT"]


def _before(name: str) -> str | None:
    """The name without its last variant or its -short ending; None if it has neither."""
    if _find(name):
        return None
    if resized := RESIZED.fullmatch(name):
        return resized[1]
    before, _, last = name.rpartition("-")
    return before if before and _matches(last) else None


def _matches(text: str) -> tuple[str, dict[str, int]] | None:
    """The variant that a text names, and its numbers: `first50000` has train_count 50,000."""
    for variant in plugins.names("variant"):
        pattern = NUMBER.sub(r"(?P<\1>[1-9]\\d{0,8})", plugins.facts("variant", variant)["NAME"])
        if match := re.fullmatch(pattern, text, flags=re.ASCII):
            return variant, {key: int(value) for key, value in match.groupdict().items()}
    return None


def _varied(name: str) -> DataSetFacts | None:
    """The facts of a variant of a data set; None if the name ends in no variant.

    Raises NoSuchVariant if the variant can't be made of the data set.
    """
    before, _, last = name.rpartition("-")
    if not before or not (match := _matches(last)):
        return None
    base, (variant, numbers) = facts(before), match
    variant_facts = plugins.facts("variant", variant)
    if base.variant == variant:
        raise NoSuchVariant(f"there is no {name}: {before} is in this variant already")
    if reason := _unfit(base, variant_facts, numbers):
        raise NoSuchVariant(f"there is no {name}: {reason}")
    channels, height, width = base.image_shape
    tokens = numbers.get("tokens", width)
    counts = [count and count * width // tokens for count in (base.train_count, base.test_count)]
    return replace(
        base,
        name=name,
        image_shape=(
            variant_facts.get("CHANNELS", {}).get(channels, channels),
            numbers.get("height", height),
            numbers.get("width", tokens),
        ),
        classes=variant_facts.get("CLASSES", base.classes),
        train_count=numbers.get("train_count", counts[0]),
        test_count=counts[1],
        base=before,
        variant=variant,
    )


def _unfit(
    base: DataSetFacts, variant_facts: Mapping[str, Any], numbers: Mapping[str, int]
) -> str | None:
    """Why a variant can't be made of a data set; None where it can."""
    channels, *size = base.image_shape
    wanted = [numbers.get("height", 0), numbers.get("width", 0)]
    if base.encoded:
        return f"{base.name} has image files, and variants are made of pixels"
    if any(wanted) and base.plugin in plugins.facts("variant", "tokens")["OF"]:
        return f"{base.name} is text, whose windows -tokens<n> makes longer"
    if base.plugin not in variant_facts.get("OF", (base.plugin,)):
        return f"this variant is one of {', '.join(variant_facts['OF'])} alone"
    if variant_facts.get("NEEDS_COUNT") and base.train_count is None:
        return f"how many images {base.name} has is known only when they are there"
    if channels not in variant_facts.get("CHANNELS", {channels}):
        needed = min(variant_facts["CHANNELS"])
        return f"it needs images of {needed} channels; {base.name} has {channels}"
    if any(wanted) and (wanted == size or wanted[0] < size[0] or wanted[1] < size[1]):
        return (
            f"images are padded to a larger size, and those of {base.name} are {size[0]}x{size[1]}"
        )
    if max(wanted) > MOST_PADDING * max(size):
        return f"images are padded to {MOST_PADDING} times their size at most"
    if numbers.get("tokens") == base.image_shape[2]:
        return f"{base.name} has windows of {numbers['tokens']} bytes"
    if base.train_count and numbers.get("train_count", 0) >= base.train_count:
        return f"{base.name} has {base.train_count} training images, and this is to have fewer"
    return None
