"""What decodes image files for PyTorch: torchvision, or Pillow where that can't be imported.

torchvision does what worker.readers.images has Pillow do, also smoothing where it makes an image
smaller, but cuts at whole pixels before it resizes. It lets go of Python's lock while it works.

Source: https://docs.pytorch.org/vision/stable/io.html.
"""

import torch

from worker.readers import images

try:
    import torchvision
    from torchvision.io import ImageReadMode, decode_jpeg
    from torchvision.transforms.v2 import functional
except (ImportError, RuntimeError):  # it isn't here, or was built for another PyTorch
    torchvision = None

VERSION = torchvision and torchvision.__version__


def read(content, image, side, place):
    """Decode a crop of an image file into `image`: see worker.readers.images.read."""
    (with_torchvision if torchvision else images.read)(content, image, side, place)


def with_torchvision(content, image, side, place):
    """The same of JPEG files alone."""
    channels, height, width = image.shape
    *_, mirrored = place
    mode = ImageReadMode.RGB if channels == 3 else ImageReadMode.GRAY
    writable = bytearray(content)  # PyTorch would warn of bytes
    pixels = decode_jpeg(torch.frombuffer(writable, dtype=torch.uint8), mode)
    box = images.part((pixels.shape[2], pixels.shape[1]), (width, height), side, place)
    left, top, right, bottom = map(round, box)
    part = top, left, bottom - top, right - left
    cut = functional.resized_crop(pixels, *part, [height, width], antialias=True)
    image[...] = cut.numpy()[:, :, :: -1 if mirrored else 1]
