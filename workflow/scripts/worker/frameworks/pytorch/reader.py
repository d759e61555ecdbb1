"""Decoding image files for PyTorch: by torchvision, or Pillow where that can't be imported.

torchvision does the work of Pillow in worker.input.readers.images. It also smooths an image that it
shrinks, but cuts at whole pixels before it resizes. It releases Python's lock meanwhile.

Source: https://docs.pytorch.org/vision/stable/io.html.
"""

from typing import Optional

import numpy
import torch

from worker.input.readers import images

try:
    import torchvision
    from torchvision.io import ImageReadMode, decode_jpeg
    from torchvision.transforms.v2 import functional
except (ImportError, RuntimeError):  # not installed, or built for another PyTorch
    torchvision = None

VERSION = torchvision and torchvision.__version__


def read(content: bytes, image: numpy.ndarray, side: Optional[int], crop: images.Crop) -> None:
    """Decode a crop of an image file into `image`: see worker.input.readers.images.read."""
    (with_torchvision if torchvision else images.read)(content, image, side, crop)


def with_torchvision(
    content: bytes, image: numpy.ndarray, side: Optional[int], crop: images.Crop
) -> None:
    """Decode a crop of a JPEG file into `image`, as read() does."""
    channels, height, width = image.shape
    *_, mirrored = crop
    mode = ImageReadMode.RGB if channels == 3 else ImageReadMode.GRAY
    writable = bytearray(content)  # PyTorch warns of bytes
    pixels = decode_jpeg(torch.frombuffer(writable, dtype=torch.uint8), mode)
    box = images.part((pixels.shape[2], pixels.shape[1]), (width, height), side, crop)
    left, top, right, bottom = map(round, box)
    part = top, left, bottom - top, right - left
    cut = functional.resized_crop(pixels, *part, [height, width], antialias=True)
    image[...] = cut.numpy()[:, :, :: -1 if mirrored else 1]
