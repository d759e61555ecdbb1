"""The index of a converted data set (dataset.json) and the normalisation it prescribes."""

import json
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, TypeVar

from worker.arrays import LabelledImages
from worker.input import pixels
from worker.job import Job

SHORT_SIDE = 256  # image files are resized to this shorter side before they are cropped

Index = Dict[str, Any]
"""The content of dataset.json with absolute paths; dataset.schema.json describes each value."""

Read = Callable[[Index, str, int], Iterator[LabelledImages]]
"""A reader: yields one epoch of a split ("train" or "test") in batches of a size, images uint8."""

Item = TypeVar("Item")


class DataError(Exception):
    """A converted data set doesn't match its index."""


def load(path: str) -> Index:
    """Read the index at `path`; the paths of its splits become absolute."""
    index: Index = json.loads(Path(path).read_text(encoding="utf-8"))
    folder = Path(path).resolve().parent
    for part in index["splits"].values():
        part["path"] = str(folder / part["path"])
    if "mean_image" in index:
        index["mean_image"] = str(folder / index["mean_image"])
    return index


def of_job(job: Job) -> Index:
    """The index of a job's data set, with the image_shape, mean and scale for its reader.

    Image files differ in size: for them, image_shape is the crop's shape (C, H, W). Raises
    DataError if the crop is larger than the images.
    """
    assert job.data is not None, "a job that reads no data set has none"
    stored = load(job.data)
    index = dict(stored, **pixels.constants(stored, job.pixels))
    if not is_encoded(index):
        return pixels.unchanged(index) if pixels.are_prepared(job, index) else index
    size, side = max(job.image_shape[1:]), index.get("short_side") or SHORT_SIDE
    if size > side:
        raise DataError(f"an image of shorter side {side} has no crop of {size}: lower image_size")
    return dict(index, image_shape=job.image_shape)


def as_stored(job: Job) -> Index:
    """The index of a job's data set by which a reader leaves stored pixels unchanged."""
    return pixels.unchanged(of_job(job))


def is_encoded(index: Index) -> bool:
    """Whether the images are image files of any size, which are cropped while they are read."""
    return index.get("encoding") == "jpeg"


def resized_to(index: Index) -> Optional[int]:
    """The shorter side to which a reader resizes image files; None if they are stored resized."""
    return None if index["short_side"] else SHORT_SIDE


def batch_sizes(index: Index, split: str, batch_size: int) -> Iterator[int]:
    """Yield the sizes of one epoch's batches; "train" has full batches only."""
    full, rest = divmod(index["splits"][split]["count"], batch_size)
    for _ in range(full):
        yield batch_size
    if rest and split != "train":
        yield rest


def full_batches(index: Index, batch_size: int) -> int:
    """The number of full training batches of one epoch; raises DataError if there is none."""
    check_batch(index, batch_size)
    return int(index["splits"]["train"]["count"] // batch_size)


def check_batch(index: Index, batch_size: int, split: str = "train") -> None:
    """Raise DataError if a split has fewer images than a batch has."""
    count = index["splits"][split]["count"]
    if count < batch_size:
        raise DataError(f"the {count} images of split {split} fill no batch of {batch_size}")


def stream(
    read: Callable[[Index, str, int], Iterable[Item]], index: Index, split: str, batch_size: int
) -> Iterator[Item]:
    """Yield a reader's batches: "train" epoch after epoch without end, "test" once."""
    if split == "train":
        check_batch(index, batch_size)
    yield from read(index, split, batch_size)
    while split == "train":
        yield from read(index, split, batch_size)


def normalised(stored: Iterable[LabelledImages], index: Index) -> Iterator[LabelledImages]:
    """Yield batches with their images normalised."""
    for images, labels in stored:
        yield pixels.normalise(images, index), labels
