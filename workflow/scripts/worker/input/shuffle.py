"""A new order of the training images in each epoch, drawn by numpy: equal in every framework."""

import itertools
from typing import Iterator

import numpy

from worker.arrays import LabelledImages
from worker.job import Job


def shuffled(stored: Iterator[LabelledImages], count: int, job: Job) -> Iterator[LabelledImages]:
    """Yield batches without end: the images of the first `count` batches, reordered each epoch.

    The images are read once and kept in memory. Orders are drawn from the job's seed and the number
    of the epoch.
    """
    images, labels = first_batches(stored, count)
    for epoch in itertools.count():
        order = numpy.random.RandomState([job.seed, epoch]).permutation(len(labels))
        for rows in order.reshape(count, job.batch_size):
            yield images[rows], labels[rows]


def first_batches(stored: Iterator[LabelledImages], count: int) -> LabelledImages:
    """The images (count * n, C, H, W) and labels (count * n,) of the first `count` batches of n.

    No batch is kept beside them, as an epoch may take gigabytes.
    """
    first = next(stored)
    arrays = [numpy.empty((count, *part.shape), part.dtype) for part in first]
    for number, batch in enumerate(itertools.chain([first], itertools.islice(stored, count - 1))):
        for array, part in zip(arrays, batch):
            array[number] = part
    images, labels = (array.reshape(-1, *array.shape[2:]) for array in arrays)
    return images, labels
