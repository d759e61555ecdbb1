"""Reader of image files: decoded, cropped and mirrored by Pillow, in threads.

For frameworks that bring no such reader, and for PyTorch where torchvision decodes none
(worker/frameworks/pytorch/reader.py). Pillow releases Python's lock while it decodes. Augmentation:
a random crop of the image resized to a shorter side of 256, mirrored every other time; for "test"
the crop in the middle.

Source: https://pillow.readthedocs.io/en/stable/reference/Image.html.
"""

import io
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Iterable, Iterator, List, Optional, Tuple

import numpy
from PIL import Image

from worker.arrays import LabelledFiles, LabelledImages
from worker.input import dataset
from worker.job import Job

BILINEAR: int = Image.BILINEAR  # type: ignore[attr-defined]  # which Pillow keeps for older code

Place = Tuple[Optional[float], Optional[float], bool]
"""How far down and to the right a crop lies, from 0 to 1 (None: in the middle); if mirrored."""
Size = Tuple[int, int]
Box = Tuple[float, float, float, float]
Decode = Callable[[bytes, numpy.ndarray, Optional[int], Place], None]
"""What decodes an image file: see `read`."""


class Reader:
    """Epochs of a split, in which no two crops are alike."""

    def __init__(
        self,
        files: Callable[[dataset.Index, str, int], Iterator[LabelledFiles]],
        job: Job,
        channels_last: bool,
        decode: Optional[Decode] = None,
    ) -> None:
        """files: what yields batches of image files and labels, as those of readers.lmdb.files.

        decode: another function with the contract of `read`, which is taken where there is none.
        """
        self.files = files
        self.decode = decode or read
        self.channels_last = channels_last
        self.threads = job.threads
        self.random = numpy.random.RandomState(job.seed)

    def batches(
        self, index: dataset.Index, split: str, batch_size: int
    ) -> Iterator[LabelledImages]:
        """Yield one epoch of (images (n, C, H, W) uint8, labels (n,) int64).

        With channels_last the images are a view of (n, H, W, C).
        "train" gives full batches only, "test" all images, so that the last batch may be smaller.
        While one is looked at, the threads decode the next.
        """
        with ThreadPoolExecutor(self.threads) as pool:
            started = []
            for contents, labels in self.files(index, split, batch_size):
                started.append((*self._start(pool, contents, index, split), labels))
                if len(started) > 1:
                    yield finished(*started.pop(0))
            for batch in started:
                yield finished(*batch)

    def _start(
        self, pool: ThreadPoolExecutor, contents: List[bytes], index: dataset.Index, split: str
    ) -> Tuple[Iterable[None], numpy.ndarray]:
        """Have a batch decoded; returns what waits for each image, and the images."""
        images = self._room(len(contents), *index["image_shape"])
        side = dataset.resized_to(index)
        places = self._places(split, len(contents))
        return pool.map(self.decode, contents, images, itertools.repeat(side), places), images

    def _room(self, count: int, channels: int, height: int, width: int) -> numpy.ndarray:
        if self.channels_last:
            return numpy.empty((count, height, width, channels), numpy.uint8).transpose(0, 3, 1, 2)
        return numpy.empty((count, channels, height, width), numpy.uint8)

    def _places(self, split: str, count: int) -> List[Place]:
        """How far down and to the right each crop lies, from 0 to 1, and if it is mirrored."""
        if split != "train":
            return [(None, None, False)] * count
        draws = self.random.random_sample((count, 3))
        return [(down, right, coin < 0.5) for down, right, coin in draws.tolist()]


def finished(waits: Iterable[None], images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
    """The batch, once all its images are decoded; raises what reading one of them did."""
    for _ in waits:
        pass
    return images, labels


def read(content: bytes, image: numpy.ndarray, side: Optional[int], place: Place) -> None:
    """Decode a crop of an image file into `image` (C, H, W) uint8.

    side: the shorter side to which the whole is resized before; None: it isn't. place: how far down
    and to the right the crop lies, and if it is mirrored.
    """
    channels, height, width = image.shape
    _, _, mirrored = place
    file = Image.open(io.BytesIO(content))
    if side:
        file.draft(None, (side, side))  # decodes a large image to a half, a quarter or an eighth
    box = part(file.size, (width, height), side, place)
    if side in (None, min(file.size)):
        left, top, right, bottom = map(int, box)
        cut = file.crop((left, top, right, bottom))
    else:  # only what is kept of it
        cut = file.resize((width, height), BILINEAR, box)
    cut = cut.convert("RGB" if channels == 3 else "L")
    for plane, band in zip(image, cut.split()):
        plane[...] = numpy.asarray(band)[:, :: -1 if mirrored else 1]


def part(size: Size, crop: Size, side: Optional[int], place: Place) -> Box:
    """Which part of an image becomes the crop: left, top, right and bottom, in the image's pixels.

    size, crop: width and height of both; side, place: as `read` takes them.
    """
    down, right, _ = place
    ratio = min(size) / side if side else 1
    left = corner(int(size[0] / ratio) - crop[0], right)
    top = corner(int(size[1] / ratio) - crop[1], down)
    # Both sides come out of floating point, which may lie beyond the last pixel by rounding.
    end = min((left + crop[0]) * ratio, size[0]), min((top + crop[1]) * ratio, size[1])
    return (left * ratio, top * ratio, *end)


def corner(room: int, draw: Optional[float]) -> int:
    """Where a crop begins that has so many pixels of room: in the middle where nothing is drawn."""
    return room // 2 if draw is None else int(draw * (room + 1))
