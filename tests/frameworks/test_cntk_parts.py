"""CNTK's readers of several devices share every batch, in every epoch."""

import subprocess

import numpy as np
import pytest

from trainmark.study import plugins

PROGRAM = """
import sys, numpy
scripts, path, split, size, count, output = sys.argv[1:]
sys.path.append(scripts)
from worker.input import dataset
from worker.frameworks.cntk.reader import Reader

index = dataset.load(path)
readers = [Reader(index, split, (rank, int(count))) for rank in range(int(count))]
parts = {}
for epoch in range(3):
    for rank, reader in enumerate(readers):
        for number, (images, _) in enumerate(reader.epoch(index, split, int(size))):
            parts["%d/%d/%d" % (epoch, number, rank)] = images.asarray().reshape(-1, 28 * 28)
numpy.savez(output, **parts)
"""


@pytest.fixture
def batches(framework_python, converted, tmp_path):
    """Each epoch's batches of a split, the readers' parts of each put together."""

    def read(split, size, count):
        arguments = plugins.SCRIPTS, converted("digits", "cntk"), split, size, count, "parts.npz"
        command = [framework_python("cntk"), "-I", "-c", PROGRAM, *map(str, arguments)]
        subprocess.run(command, cwd=tmp_path, check=True)
        with np.load(tmp_path / "parts.npz") as stored:
            images_by_part = {
                tuple(map(int, key.split("/"))): images for key, images in stored.items()
            }
        numbers = sorted({(epoch, number) for epoch, number, _ in images_by_part})
        whole = {
            key: np.concatenate([images_by_part[*key, rank] for rank in range(count)])
            for key in numbers
        }
        return [[images for (e, _), images in whole.items() if e == epoch] for epoch in range(3)]

    return read


def same_images(one, other):
    return np.array_equal(*(np.sort(images.view("V3136").ravel()) for images in (one, other)))


# 297 images are for testing, of which the last batch has one, three or nine; 1,500 for training,
# which divide among three readers, but not among seven.
@pytest.mark.parametrize(
    ("split", "size", "count"),
    [
        ("test", 74, 2),
        ("test", 98, 2),
        ("test", 96, 3),
        ("test", 148, 4),
        ("train", 99, 3),
        ("train", 98, 7),
    ],
)
def test_two_or_more_have_each_batch_of_one_in_every_epoch(batches, split, size, count):
    (alone, *_), together = batches(split, size, 1), batches(split, size, count)
    for epoch in together:
        assert [len(batch) for batch in epoch] == [len(batch) for batch in alone]
        assert all(map(same_images, epoch, alone))
