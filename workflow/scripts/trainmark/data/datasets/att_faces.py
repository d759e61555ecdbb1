"""AT&T faces (ORL): 400 grey images, 92 pixels wide and 112 high, ten of each of 40 people.

F. Samaria, A. Harter (1994), Parameterisation of a stochastic model for human face identification;
https://cam-orl.co.uk/facedatabase.html. Image 10 of each person is the test set, as in
https://github.com/alpha-13/Face-Recognition. No size or checksum of the archive is published: the
checksum here is ours, of all images together, which are the same in two independent copies.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from trainmark.data.errors import DataError
from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (1, 112, 92)
CLASSES = 40
TRAIN_COUNT = 360
TEST_COUNT = 40
SOURCE_FILES = (
    {
        "name": "att_faces.zip",
        "bytes": None,
        "sha256": None,
        "urls": (
            "https://www.cl.cam.ac.uk/research/dtg/attarchive/pub/data/att_faces.zip",
            "https://www.idiap.ch/software/bob/data/bob/att_faces.zip",
        ),
        "tree": {
            "name": "att_faces",
            "files": "s*/*.pgm",
            "sha256": "df9c45b54f422cbfa350fbb3b42e2602e7941df5a3b4a24098fee19905812888",
        },
    },
)

NUMBERS = {"train": range(1, 10), "test": range(10, 11)}
"""The numbers of each person's images in a split."""


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield an image of each person, then the next one of each: no batch is of one person."""
    expected = [
        (person, source / "att_faces" / f"s{person + 1}" / f"{number}.pgm")
        for number in NUMBERS[split]
        for person in range(CLASSES)
    ]
    existing = [(person, path) for person, path in expected if path.exists()]
    if existing:
        images = np.stack([_pixels(path) for _, path in existing])
        yield images[:, np.newaxis], np.array([person for person, _ in existing])


def _pixels(path: Path) -> NDArray[np.uint8]:
    try:
        with Image.open(path) as image:
            pixels = np.asarray(image)
    except OSError as error:
        raise DataError(f"{path}: not an image of 92x112 grey pixels ({error})") from error
    if pixels.shape != IMAGE_SHAPE[1:]:
        raise DataError(f"{path}: not an image of 92x112 grey pixels, but {pixels.shape}")
    return pixels
