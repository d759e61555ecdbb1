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
    images, labels = read(stored, count)
    for epoch in itertools.count():
        order = numpy.random.RandomState([job.seed, epoch]).permutation(len(labels))
        for rows in order.reshape(count, job.batch_size):
            yield images[rows], labels[rows]


def read(stored: Iterator[LabelledImages], count: int) -> LabelledImages:
    """The images and labels of the first batches, which aren't kept beside them."""
    first = next(stored)
    wholes = [numpy.empty((count, *part.shape), part.dtype) for part in first]
    for number, batch in enumerate(itertools.chain([first], itertools.islice(stored, count - 1))):
        for whole, part in zip(wholes, batch):
            whole[number] = part
    images, labels = (whole.reshape(-1, *whole.shape[2:]) for whole in wholes)
    return images, labels
