"""A folder of image files whose every pixel says where in which image it lies.

In colour, red grows to the right and green downwards, by one in two pixels, and blue says which
image it is; in grey it grows to the right. So crops can be found again, mirrored or not. Each
training image is a class of its own.
"""

from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]

COUNTS = {"train": 14, "test": 6}
CLASSES = COUNTS["train"]
UNTOUCHED = f"folder-gradients-3x32x32-{CLASSES}"
SHORT256 = UNTOUCHED + "-short256"
SIZES = [(300, 260), (256, 256), (500, 375), (400, 300)]
"""Width and height of the images, in turns; the last is grey."""
BLUE_STEP = 16


def write(folder: Path) -> None:
    """Make the class folders of both splits, each with one image."""
    for split, count in COUNTS.items():
        for label in range(count):
            class_folder = folder / split / f"{label:02d}"
            class_folder.mkdir(parents=True)
            (class_folder / "image.jpg").write_bytes(content(split, label))


def content(split: str, label: int) -> bytes:
    """The file of an image."""
    buffer = BytesIO()
    image(split, label).save(buffer, "jpeg", quality=95)
    return buffer.getvalue()


def image(split: str, label: int) -> Image.Image:
    """An image of a split; of those of a class, the test image has more blue."""
    width, height = SIZES[label % len(SIZES)]
    y, x = np.mgrid[:height, :width] // 2
    if label % len(SIZES) == len(SIZES) - 1:
        return Image.fromarray(x.astype(np.uint8))
    blue = np.full_like(x, BLUE_STEP * label + (split == "test") * BLUE_STEP // 2)
    return Image.fromarray(np.stack([x, y, blue], axis=-1).astype(np.uint8))


def resized(split: str, label: int) -> Pixels:
    """What is cropped, (C, H, W): Pillow's pixels of the image with a shorter side of 256."""
    opened = Image.open(BytesIO(content(split, label))).convert("RGB")
    ratio = min(opened.size) / 256
    size = round(opened.width / ratio), round(opened.height / ratio)
    return np.asarray(opened.resize(size, Image.Resampling.BILINEAR)).transpose(2, 0, 1)
