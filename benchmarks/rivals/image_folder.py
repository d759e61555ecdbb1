"""Makes the folder of class folders of JPEG files that all sides read, and their lists of it.

usage: python image_folder.py FOLDER COUNT PART SIDE TAR

The files of the tar file are repeated until there are COUNT, or random ones of the size are made
where it isn't there. Listed are path and label for Caffe, number, label and path for MXNet.
"""

import random
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

CLASSES = 10
MADE, MADE_SIZE, QUALITY = 100, (500, 375), 90


def unpacked(path: Path, part: str) -> list[bytes]:
    """The files of a part of the archive."""
    with tarfile.open(path) as tar:
        members = [member for member in tar if member.isfile() and member.name.startswith(part)]
        return [content.read() for member in members if (content := tar.extractfile(member))]


def made(side: int | None) -> list[bytes]:
    """Smooth noise as JPEG files, square ones of a side or of the usual size of ILSVRC12."""
    generator, files = np.random.default_rng(0), []
    for _ in range(MADE):
        noise = generator.integers(256, size=(24, 32, 3), dtype=np.uint8)
        file = BytesIO()
        size = (side, side) if side else MADE_SIZE
        Image.fromarray(noise).resize(size).save(file, "JPEG", quality=QUALITY)
        files.append(file.getvalue())
    return files


def write(contents: list[bytes], folder: Path, count: int) -> None:
    """Files by class for training and one of each class to test, both lists in a random order."""
    paths = []
    for number in range(count + CLASSES):
        split = folder / "source" / ("train" if number < count else "val")
        path = split / f"class{number % CLASSES}" / f"{number:06d}.JPEG"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents[number % len(contents)])
        if number < count:
            paths.append((path.relative_to(split), number % CLASSES))
    random.Random(0).shuffle(paths)
    caffe = "".join(f"{path} {label}\n" for path, label in paths)
    (folder / "caffe.txt").write_text(caffe)
    mxnet = "".join(f"{number}\t{label}\t{path}\n" for number, (path, label) in enumerate(paths))
    (folder / "mxnet.lst").write_text(mxnet)


if __name__ == "__main__":
    folder, count, part, side, tar = sys.argv[1:]
    images = unpacked(Path(tar), part) if Path(tar).is_file() else made(int(side))
    write(images, Path(folder), int(count))
