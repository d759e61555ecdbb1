"""Small image files that several tests make, and folders of them."""

import io
from pathlib import Path

import numpy as np
from PIL import Image


def encoded(
    number: int = 0, mode: str = "RGB", size: tuple[int, int] = (40, 30), form: str = "JPEG"
) -> bytes:
    """An image file with smooth shapes, of `size` (width, height)."""
    shapes = np.random.default_rng(number).integers(256, size=(4, 4, 3), dtype=np.uint8)
    content = io.BytesIO()
    Image.fromarray(shapes).resize(size, Image.Resampling.BICUBIC).convert(mode).save(content, form)
    return content.getvalue()


def class_folders(folder: Path, classes: dict[str, int], first: int = 0) -> Path:
    """A folder of class folders with so many images each."""
    for name, count in classes.items():
        (folder / name).mkdir(parents=True)
        for number in range(count):
            image = encoded(first + number)
            (folder / name / f"{name}_{number}.JPEG").write_bytes(image)
        first += count
    return folder
