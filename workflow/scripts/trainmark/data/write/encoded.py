"""Image files to be stored: unchanged if every framework can read them, else encoded again.

A framework's reader takes JPEG files of grey or colour images. Other files are decoded here and
encoded again, and so is each image whose shorter side must get another length.
"""

import io
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from PIL import Image as Pillow
from PIL import ImageFile

from trainmark.data.errors import DataError
from trainmark.data.read import jpeg
from trainmark.data.read.images import Listing
from trainmark.machine import cores

GREY, CMYK, NOT_JPEG, TRUNCATED = "grey", "cmyk", "not_jpeg", "truncated"
ODD = (GREY, CMYK, NOT_JPEG, TRUNCATED)
"""Kinds of odd images, which are counted: grey ones, stored untouched, and re-encoded ones."""
KINDS = {1: GREY, 3: None, 4: CMYK}
"""The kind of a complete JPEG file, by its number of components."""

QUALITY = 95
BLOCK_IMAGES = 64
"""Images in a block; this bounds the memory of the writer that stores them."""
REDUCING_GAP = 2
"""Images are first reduced by a whole factor, to no less than this multiple of the new size."""

UNDECODABLE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    struct.error,
    RuntimeError,
    NotImplementedError,
    Pillow.DecompressionBombError,
)
"""Errors that Pillow raises for content that is no image."""

# The part of a truncated image that can be decoded is kept.
ImageFile.LOAD_TRUNCATED_IMAGES = True


class Image(NamedTuple):
    """A JPEG file to be stored, and the class of its image."""

    content: bytes
    label: int


class Block(NamedTuple):
    """Consecutive images of a listing, and (number, kind) of each odd image among them."""

    images: list[Image]
    odd: list[tuple[int, str]]


def prepared(listing: Listing, first: int, short_side: int | None) -> Iterator[Block]:
    """Yield the images of a listing from number `first` on, in order, as they are to be stored.

    Blocks end at multiples of BLOCK_IMAGES, so the first one may be shorter. Only a few blocks are
    in memory. Raises DataError for an image that can't be decoded.
    """
    block = partial(_block, listing, short_side)
    edges = range(first - first % BLOCK_IMAGES, len(listing), BLOCK_IMAGES)
    numbers = (range(max(first, e), min(e + BLOCK_IMAGES, len(listing))) for e in edges)
    if short_side is None:
        # Reading alone takes less time than switching threads would.
        return map(block, numbers)
    return _in_threads(block, numbers)


def prepare(content: bytes, short_side: int | None = None) -> tuple[bytes, str | None]:
    """The JPEG file to store for an image file, and the image's kind if it is odd, else None.

    With `short_side`, the shorter side is resized to this number of pixels. Raises one of
    UNDECODABLE.
    """
    header = jpeg.header(content)
    kind = _kind(header)
    if header and kind in (None, GREY) and short_side in (None, min(header.height, header.width)):
        return content, kind
    return _encoded_anew(content, short_side), kind


def _block(listing: Listing, short_side: int | None, numbers: range) -> Block:
    labels = listing.labels[numbers.start : numbers.stop].tolist()
    images, odd = [], []
    for number, label in zip(numbers, labels, strict=True):
        read = listing.read(number)
        try:
            content, kind = prepare(read, short_side)
        except UNDECODABLE as error:
            raise DataError(
                f"{listing.name(number)}: no image that can be decoded; fetch it anew or remove it"
            ) from error
        images.append(Image(content, label))
        if kind:
            odd.append((number, kind))
    return Block(images, odd)


def _kind(header: jpeg.Header | None) -> str | None:
    if header is None:
        return NOT_JPEG
    return KINDS.get(header.components, NOT_JPEG) if header.complete else TRUNCATED


def _encoded_anew(content: bytes, short_side: int | None) -> bytes:
    with Pillow.open(io.BytesIO(content)) as image:
        width, height = _resized(image.size, short_side or min(image.size))
        # JPEG can be decoded to a half, a quarter or an eighth of its size, for less work.
        image.draft("RGB", (REDUCING_GAP * width, REDUCING_GAP * height))
        colour = _eight_bits(image).convert("RGB")
    resized = colour.resize((width, height), Pillow.Resampling.BILINEAR, reducing_gap=REDUCING_GAP)
    encoded = io.BytesIO()
    resized.save(encoded, "JPEG", quality=QUALITY)
    return encoded.getvalue()


def _eight_bits(image: Pillow.Image) -> Pillow.Image:
    """An image of 16 bits per pixel, scaled to 8; Pillow's own conversion would make it white."""
    if not image.mode.startswith("I"):
        return image
    return image.convert("I").point(lambda value: value / 256).convert("L")


def _resized(size: tuple[int, int], short_side: int) -> tuple[int, int]:
    """New width and height: the shorter one is `short_side`, and their ratio nearly stays."""
    width, height = (max(short_side, round(side * short_side / min(size))) for side in size)
    return width, height


def _in_threads(function: Callable[[range], Block], tasks: Iterable[range]) -> Iterator[Block]:
    """Results in the order of the tasks; only a few tasks run ahead of the consumer.

    Threads help, since Pillow releases Python's global lock.
    """
    threads = cores.usable()
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[Future[Block]] = deque()
        for task in tasks:
            ahead.append(pool.submit(function, task))
            if len(ahead) > threads + 1:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
