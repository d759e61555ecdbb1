"""Reader of image files: decoded, cropped and mirrored by Pillow, in threads.

For frameworks that bring no such reader, and for PyTorch where torchvision decodes none
(worker/readers/torchvision.py). Pillow lets go of Python's lock while it decodes. Augmentation: a
random crop of the image resized to a shorter side of 256, mirrored every other time; for "test" the
crop in the middle.

Source: https://pillow.readthedocs.io/en/stable/reference/Image.html.
"""

import io
import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy
from PIL import Image

from worker import dataset


class Reader:
    """Epochs of a split, in which no two crops are alike."""

    def __init__(self, files, job, channels_last, decode=None):
        """files: what yields batches of image files and labels, as worker.readers.lmdb.files.

        decode: another function with the contract of `read`, which is taken where there is none.
        """
        self.files = files
        self.decode = decode or read
        self.channels_last = channels_last
        self.threads = job["threads"]
        self.random = numpy.random.RandomState(job["seed"])

    def batches(self, index, split, batch_size):
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

    def _start(self, pool, contents, index, split):
        """Have a batch decoded; returns what waits for each image, and the images."""
        images = self._room(len(contents), *index["image_shape"])
        side = dataset.resized_to(index)
        places = self._places(split, len(contents))
        return pool.map(self.decode, contents, images, itertools.repeat(side), places), images

    def _room(self, count, channels, height, width):
        if self.channels_last:
            return numpy.empty((count, height, width, channels), numpy.uint8).transpose(0, 3, 1, 2)
        return numpy.empty((count, channels, height, width), numpy.uint8)

    def _places(self, split, count):
        """How far down and to the right each crop lies, from 0 to 1, and if it is mirrored."""
        if split != "train":
            return [(None, None, False)] * count
        draws = self.random.random_sample((count, 3))
        return [(down, right, coin < 0.5) for down, right, coin in draws.tolist()]


def finished(waits, images, labels):
    """The batch, once all its images are decoded; raises what reading one of them did."""
    for _ in waits:
        pass
    return images, labels


def read(content, image, side, place):
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
        cut = file.crop(box)
    else:  # only what is kept of it
        cut = file.resize((width, height), Image.BILINEAR, box)
    cut = cut.convert("RGB" if channels == 3 else "L")
    for plane, band in zip(image, cut.split()):
        plane[...] = numpy.asarray(band)[:, :: -1 if mirrored else 1]


def part(size, crop, side, place):
    """Which part of an image becomes the crop: left, top, right and bottom, in the image's pixels.

    size, crop: width and height of both; side, place: as `read` takes them.
    """
    down, right, _ = place
    ratio = min(size) / side if side else 1
    left = corner(int(size[0] / ratio) - crop[0], right)
    top = corner(int(size[1] / ratio) - crop[1], down)
    box = (left, top, left + crop[0], top + crop[1])
    # Both sides come out of floating point, which may lie beyond the last pixel by rounding.
    return [min(edge * ratio, limit) for edge, limit in zip(box, 2 * size)]


def corner(room, draw):
    """Where a crop begins that has so many pixels of room: in the middle where nothing is drawn."""
    return room // 2 if draw is None else int(draw * (room + 1))
