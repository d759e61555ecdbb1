"""Makes the files that all sides read: random images in the formats of MNIST and CIFAR-10."""

import sys
from pathlib import Path

import numpy as np

from trainmark.data.write import png

MNIST_COUNT, CIFAR10_BATCH, CIFAR10_BATCHES = 60_000, 10_000, 6


def make(folder: Path) -> None:
    """Random images in the files of MNIST and of CIFAR-10's binary version, and as arrays."""
    random = np.random.default_rng(0)
    images = random.integers(256, size=(MNIST_COUNT, 1, 28, 28), dtype=np.uint8)
    labels = random.integers(10, size=MNIST_COUNT, dtype=np.uint8)
    head = np.array([0x803, MNIST_COUNT, 28, 28], dtype=">u4").tobytes()
    (folder / "images").write_bytes(head + images.tobytes())
    head = np.array([0x801, MNIST_COUNT], dtype=">u4").tobytes()
    (folder / "labels").write_bytes(head + labels.tobytes())
    np.save(folder / "labels.npy", labels.astype(np.int64))
    np.save(folder / "raw.npy", images.reshape(MNIST_COUNT, -1))
    np.save(folder / "png.npy", png.stored(images))
    for number in range(1, CIFAR10_BATCHES + 1):
        rows = random.integers(256, size=(CIFAR10_BATCH, 3073), dtype=np.uint8)
        rows[:, 0] %= 10
        name = f"data_batch_{number}.bin" if number < CIFAR10_BATCHES else "test_batch.bin"
        (folder / name).write_bytes(rows.tobytes())


if __name__ == "__main__":
    make(Path(sys.argv[1]))
