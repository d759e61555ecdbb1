"""Preparing stored pixels for training: a case's normalisation, crops and random changes.

Each framework's reader applies the index's mean per channel and scale. All other changes are made
here, by numpy in the host's memory, on the reader's output. So every framework trains on the same
numbers, also after random changes.
"""

from functools import partial
from typing import Any, Dict, Iterable, Iterator, List

import numpy

from worker.arrays import LabelledImages
from worker.job import Job

Index = Dict[str, Any]
Images = numpy.ndarray
"""Images float32 (n, C, H, W)."""

CONTRAST = (0.2, 1.8)
"""The range of the random factor of contrast, from TensorFlow's CIFAR-10 example."""


def constants(index: Index, rule: Dict[str, Any]) -> Index:
    """The mean of each channel and the scale, by the rule of a job's pixels.

    An empty rule gives the index's mean and scale. has_own_mean: whether the mean differs from the
    one in the format's files.
    """
    if not rule:
        return {"mean": index["mean"], "scale": index["scale"], "has_own_mean": False}
    scale, mean = 1 / float(rule.get("divisor", 1)), rule.get("mean", "none")
    if mean == "channel":
        return {"mean": index["mean"], "scale": scale, "has_own_mean": False}
    number = float(mean) if isinstance(mean, (int, float)) else 0.0
    return {"mean": [number] * len(index["mean"]), "scale": scale, "has_own_mean": True}


def are_prepared(job: Job, index: Index) -> bool:
    """Whether a job's images are prepared here, rather than by the framework's reader alone."""
    is_cropped = index["encoding"] != "jpeg" and list(index["image_shape"]) != job.image_shape
    by_rule = job.pixels.get("mean") == "image" or "standardise" in job.pixels
    is_attacked = job.stage == "attack"  # attacks start from stored pixels
    return bool(by_rule or job.augment or job.shuffle or is_cropped or is_attacked)


def unchanged(index: Index) -> Index:
    """A copy of the index with mean 0 and scale 1: a reader leaves stored pixels unchanged."""
    return dict(index, **constants(index, {"mean": "none"}))


def prepared(
    batches: Iterable[LabelledImages], index: Index, job: Job, split: str
) -> Iterator[LabelledImages]:
    """Yield batches of stored pixels, prepared for training or, in split "test", for prediction.

    Random draws are seeded by the job's seed and the batch's number. The index is the stored one.
    """
    rule = constants(index, job.pixels)
    subtracts_image = job.pixels.get("mean") == "image"
    mean = numpy.load(index["mean_image"]) if subtracts_image else numpy.float32(0)
    finish = standardised if "standardise" in job.pixels else partial(normalise, index=rule)
    for number, (stored, labels) in enumerate(batches):
        images = numpy.subtract(stored, mean, dtype=numpy.float32)
        is_trained_on = split == "train"
        images = augmented(images, job, number) if is_trained_on else centred(images, job)
        yield numpy.ascontiguousarray(finish(images)), labels


def centred(images: Images, job: Job) -> Images:
    """The crops in the middle."""
    tops, lefts = (numpy.full(len(images), room // 2) for room in _room(images, job))
    return cropped(images, job, tops, lefts)


def augmented(images: Images, job: Job, number: int) -> Images:
    """The images of the training batch `number`, cropped and with the job's random changes.

    Every random number is drawn, even if the job doesn't use it: so the crops, for example, are the
    same with and without mirroring.
    """
    draws = numpy.random.RandomState((job.seed * 1_000_003 + number) % 2**32)
    count = len(images)
    tops, lefts = (draws.randint(room + 1, size=count) for room in _room(images, job))
    mirrors = draws.randint(2, size=count)
    factors = draws.uniform(*CONTRAST, size=count).astype(numpy.float32)
    has_crops = "crop" in job.augment
    images = cropped(images, job, tops, lefts) if has_crops else centred(images, job)
    if "mirror" in job.augment:
        images = mirrored(images, mirrors)
    if "contrast" in job.augment:
        images = contrasted(images, factors)
    return images


def cropped(images: Images, job: Job, tops: numpy.ndarray, lefts: numpy.ndarray) -> Images:
    """A window of the job's size out of each image."""
    _, height, width = job.image_shape
    rows = tops[:, None] + numpy.arange(height)
    columns = lefts[:, None] + numpy.arange(width)
    numbers = numpy.arange(len(images))[:, None, None, None]
    channels = numpy.arange(images.shape[1])[:, None, None]
    windows: Images = images[numbers, channels, rows[:, None, :, None], columns[:, None, None, :]]
    return windows


def mirrored(images: Images, mirrors: numpy.ndarray) -> Images:
    """The images; each image with a 1 in `mirrors` (n,) is mirrored, left to right."""
    return numpy.where(mirrors[:, None, None, None] == 1, images[:, :, :, ::-1], images)


def contrasted(images: Images, factors: numpy.ndarray) -> Images:
    """Images whose differences from their channels' means are multiplied by `factors` (n,)."""
    means = images.mean(axis=(2, 3), keepdims=True)
    changed: Images = (images - means) * factors[:, None, None, None] + means
    return changed


def standardised(images: Images) -> Images:
    """Each image minus its mean, divided by its standard deviation.

    The divisor is at least 1 / sqrt(values), as in TensorFlow's per_image_standardization.
    """
    values = numpy.float32(images[0].size)
    means = images.mean(axis=(1, 2, 3), keepdims=True)
    deviations = images.std(axis=(1, 2, 3), keepdims=True)
    scaled: Images = (images - means) / numpy.maximum(deviations, 1 / numpy.sqrt(values))
    return scaled


def normalise(images: numpy.ndarray, index: Index) -> numpy.ndarray:
    """Images (n, C, H, W) as float32: (pixel - mean[channel]) * scale.

    The result has the memory layout of the images.
    """
    # A mean for each pixel, because numpy subtracts that faster than one value per channel.
    mean = numpy.empty_like(images[:1], dtype=numpy.float32)
    mean[...] = numpy.array(index["mean"], dtype=numpy.float32).reshape(-1, 1, 1)
    normalised: numpy.ndarray = numpy.subtract(images, mean, dtype=numpy.float32)
    normalised *= numpy.float32(index["scale"])
    return normalised


def _room(images: Images, job: Job) -> List[int]:
    """The number of pixels by which a crop can move down, and right."""
    return [stored - size for stored, size in zip(images.shape[2:], job.image_shape[1:])]
