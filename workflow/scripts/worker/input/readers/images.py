"""Reader of image files: decoded, cropped and mirrored by Pillow, in threads.

For frameworks without such a reader, and for PyTorch where torchvision is absent
(worker/frameworks/pytorch/reader.py). Pillow releases Python's lock while it decodes. Augmentation:
a random crop of the image resized to a shorter side of 256, mirrored with a probability of 1/2; for
"test" the crop in the middle.

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

Crop = Tuple[Optional[float], Optional[float], bool]
"""A crop's position down and to the right, from 0 to 1 (None: in the middle); whether mirrored."""
Size = Tuple[int, int]
Box = Tuple[float, float, float, float]
Decode = Callable[[bytes, numpy.ndarray, Optional[int], Crop], None]
"""Decodes an image file: see `read`."""


class Reader:
    """Epochs of a split, with new random crops in each."""

    def __init__(
        self,
        files: Callable[[dataset.Index, str, int], Iterator[LabelledFiles]],
        job: Job,
        channels_last: bool,
        decode: Optional[Decode] = None,
    ) -> None:
        """Prepare the random crops.

        files: yields batches of image files and labels, as readers.lmdb.files does; decode: a
        function with the contract of `read`, which is the default.
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

        With channels_last the images are a view of (n, H, W, C). Split "train" gives full batches
        only; "test" gives all images, and its last batch may be smaller. The threads decode the
        next batch while the caller uses one.
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
        """Begin to decode a batch; return an iterator that waits for each image, and the images."""
        images = self._empty(len(contents), *index["image_shape"])
        side = dataset.resized_to(index)
        crops = self._crops(split, len(contents))
        return pool.map(self.decode, contents, images, itertools.repeat(side), crops), images

    def _empty(self, count: int, channels: int, height: int, width: int) -> numpy.ndarray:
        if self.channels_last:
            return numpy.empty((count, height, width, channels), numpy.uint8).transpose(0, 3, 1, 2)
        return numpy.empty((count, channels, height, width), numpy.uint8)

    def _crops(self, split: str, count: int) -> List[Crop]:
        """Random crops for split "train", else crops in the middle."""
        if split != "train":
            return [(None, None, False)] * count
        draws = self.random.random_sample((count, 3))
        return [(down, right, coin < 0.5) for down, right, coin in draws.tolist()]


def finished(waits: Iterable[None], images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
    """Wait until all images of a batch are decoded; return it. Raises the errors of decoding."""
    for _ in waits:
        pass
    return images, labels


def read(content: bytes, image: numpy.ndarray, side: Optional[int], crop: Crop) -> None:
    """Decode a crop of an image file into `image` (C, H, W) uint8.

    side: the shorter side to which the whole image is resized first; None: it isn't resized.
    """
    channels, height, width = image.shape
    _, _, mirrored = crop
    file = Image.open(io.BytesIO(content))
    if side:
        file.draft(None, (side, side))  # decodes a large image to a half, a quarter or an eighth
    box = part(file.size, (width, height), side, crop)
    if side in (None, min(file.size)):
        left, top, right, bottom = map(int, box)
        cut = file.crop((left, top, right, bottom))
    else:  # resizes the part alone
        cut = file.resize((width, height), BILINEAR, box)
    cut = cut.convert("RGB" if channels == 3 else "L")
    for plane, band in zip(image, cut.split()):
        plane[...] = numpy.asarray(band)[:, :: -1 if mirrored else 1]


def part(size: Size, target: Size, side: Optional[int], crop: Crop) -> Box:
    """The part of an image that becomes the crop: left, top, right and bottom, in its pixels.

    size: width and height of the image; target: width and height of the crop; side, crop: see
    `read`.
    """
    down, right, _ = crop
    ratio = min(size) / side if side else 1
    left = corner(int(size[0] / ratio) - target[0], right)
    top = corner(int(size[1] / ratio) - target[1], down)
    # Floating-point rounding may put the right and bottom sides beyond the last pixel.
    end = min((left + target[0]) * ratio, size[0]), min((top + target[1]) * ratio, size[1])
    return (left * ratio, top * ratio, *end)


def corner(room: int, draw: Optional[float]) -> int:
    """The first pixel of a crop that can move by `room` pixels; central for a draw of None."""
    return room // 2 if draw is None else int(draw * (room + 1))
