"""Our writer of one format on the files that Caffe's tools read; prints the writer's seconds."""

import importlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from trainmark.data.read.chunks import Chunk

CHUNK = 10_000


def mnist(folder: Path) -> Iterator[Chunk]:
    """Images and labels in MNIST's files, unzipped."""
    images = np.fromfile(folder / "images", dtype=np.uint8, offset=16).reshape(-1, 1, 28, 28)
    labels = np.fromfile(folder / "labels", dtype=np.uint8, offset=8).astype(np.int64)
    for first in range(0, len(labels), CHUNK):
        yield images[first : first + CHUNK], labels[first : first + CHUNK]


def cifar10(folder: Path) -> Iterator[Chunk]:
    """Images and labels in the binary version's files."""
    for path in sorted(folder.glob("*.bin")):
        rows = np.fromfile(path, dtype=np.uint8).reshape(-1, 3073)
        yield rows[:, 1:].reshape(-1, 3, 32, 32), rows[:, 0].astype(np.int64)


SOURCES = {"mnist": (mnist, (1, 28, 28)), "cifar10": (cifar10, (3, 32, 32))}

if __name__ == "__main__":
    format_name, source, folder, output = sys.argv[1:]
    read, shape = SOURCES[source]
    writer = importlib.import_module(f"trainmark.data.formats.{format_name}")
    start = time.perf_counter()
    writer.write(read(Path(folder)), Path(output + writer.SUFFIX), shape)
    print(time.perf_counter() - start)
