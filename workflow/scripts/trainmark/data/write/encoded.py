"""Image files as they are stored: unchanged where every framework can read them.

A framework's reader takes JPEG files of grey or colour images. Others are decoded here and
encoded anew, and so are all images where their shorter side is to have a certain length.
"""

import io
import os
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

GREY, CMYK, NOT_JPEG, TRUNCATED = "grey", "cmyk", "not_jpeg", "truncated"
ODD = (GREY, CMYK, NOT_JPEG, TRUNCATED)
"""Kinds of odd images, which are counted: grey ones, stored untouched, and re-encoded ones."""
KINDS = {1: GREY, 3: None, 4: CMYK}
"""The kind of a complete JPEG file, by its number of components."""

QUALITY = 95
BLOCK_IMAGES = 64
"""How many images are handed on at once, which bounds the memory of whatever stores them."""
REDUCING_GAP = 2
"""An image is made smaller by whole factors first, to no less than so many times its new size."""

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

# What can be decoded of a truncated image is kept.
ImageFile.LOAD_TRUNCATED_IMAGES = True


class Image(NamedTuple):
    """A JPEG file to be stored, and the class of its image."""

    content: bytes
    label: int


class Block(NamedTuple):
    """Images that follow one another in a listing, and the kinds of the odd ones by number."""

    images: list[Image]
    odd: list[tuple[int, str]]


def prepared(listing: Listing, first: int, short_side: int | None) -> Iterator[Block]:
    """Yield the images of a listing from number `first` on, in order, as they are to be stored.

    Blocks end at whole multiples of BLOCK_IMAGES, wherever the first one begins. Only a few
    blocks are in memory. Raises DataError for an image that can't be decoded.
    """
    block = partial(_block, listing, short_side)
    edges = range(first - first % BLOCK_IMAGES, len(listing), BLOCK_IMAGES)
    numbers = (range(max(first, e), min(e + BLOCK_IMAGES, len(listing))) for e in edges)
    if short_side is None:
        # Reading takes less time than threads would to take turns.
        return map(block, numbers)
    return _in_threads(block, numbers)


def prepare(content: bytes, short_side: int | None = None) -> tuple[bytes, str | None]:
    """The JPEG file to store for an image file, and the kind of oddity of that file.

    Where `short_side` is given, the shorter side is resized to so many pixels. Raises one of
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
    """An image of 16 bits a pixel as one of 8, which Pillow would make white."""
    if not image.mode.startswith("I"):
        return image
    return image.convert("I").point(lambda value: value / 256).convert("L")


def _resized(size: tuple[int, int], short_side: int) -> tuple[int, int]:
    """Width and height of which the shorter is `short_side`, in nearly the same proportion."""
    width, height = (max(short_side, round(side * short_side / min(size))) for side in size)
    return width, height


def _in_threads(function: Callable[[range], Block], tasks: Iterable[range]) -> Iterator[Block]:
    """Results in the order of the tasks, of which only a few are ahead. Pillow frees the lock."""
    threads = len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[Future[Block]] = deque()
        for task in tasks:
            ahead.append(pool.submit(function, task))
            if len(ahead) > threads + 1:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
