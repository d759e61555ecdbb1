"""Data sets of image files whose every pixel says where in which image it lies.

In colour, red grows to the right and green downwards, by one in two pixels, and blue says which
image it is; in grey it grows to the right. So crops can be found again, mirrored or not.
"""

import importlib
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from trainmark.data import encoded

Pixels = NDArray[np.uint8]

CLASSES = 16
COUNTS = {"train": 14, "test": 6}
BLUE_STEP = 16
MEAN, SCALE = [123.675, 116.28, 103.53], 1 / 57.63
UNTOUCHED = "folder-gradients-3x32x32-16"
SHORT256 = UNTOUCHED + "-short256"
SIZES = {
    UNTOUCHED: [(300, 260), (256, 256), (500, 375), (400, 300)],
    SHORT256: [(300, 256), (256, 256), (341, 256), (256, 320)],
}
"""Width and height of the images, in turns; the last is grey."""


def image(dataset: str, split: str, number: int) -> Image.Image:
    """An image of a split, which has its number for a label; test images are brighter in blue."""
    kinds = SIZES[dataset]
    width, height = kinds[number % len(kinds)]
    y, x = np.mgrid[:height, :width] // 2
    if number % len(kinds) == len(kinds) - 1:
        return Image.fromarray(x.astype(np.uint8))
    blue = np.full_like(x, BLUE_STEP * number + (split == "test") * BLUE_STEP // 2)
    return Image.fromarray(np.stack([x, y, blue], axis=-1).astype(np.uint8))


def stored(dataset: str, split: str, number: int) -> bytes:
    """The file's content."""
    content = BytesIO()
    image(dataset, split, number).save(content, "jpeg", quality=95)
    return content.getvalue()


def resized(dataset: str, split: str, number: int) -> Pixels:
    """What is cropped, (C, H, W): Pillow's pixels of the image with a shorter side of 256."""
    opened = Image.open(BytesIO(stored(dataset, split, number))).convert("RGB")
    ratio = min(opened.size) / 256
    size = round(opened.width / ratio), round(opened.height / ratio)
    return np.asarray(opened.resize(size, Image.Resampling.BILINEAR)).transpose(2, 0, 1)


def convert(dataset: str, format_name: str, folder: Path) -> None:
    """Write a data set in a storage format, with its index."""
    writer = importlib.import_module(f"trainmark.data.formats.{format_name}")
    folder.mkdir(parents=True)
    index: dict[str, Any] = {
        "image_shape": [3, 32, 32],
        "classes": CLASSES,
        "encoding": "jpeg",
        "short_side": 256 if dataset == SHORT256 else None,
        "mean": MEAN,
        "scale": SCALE,
        "splits": {},
    }
    for split, count in COUNTS.items():
        path = folder / f"{split}{getattr(writer, 'IMAGE_SUFFIX', writer.SUFFIX)}"
        with writer.ImageWriter(path) as opened:
            opened.append([encoded.Image(stored(dataset, split, n), n) for n in range(count)])
        index["splits"][split] = {"count": count, "path": path.name}
    if hasattr(writer, "finish"):
        writer.finish(folder, index)
    (folder / "dataset.json").write_text(json.dumps(index))
