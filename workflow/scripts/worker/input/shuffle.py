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
    parts = zip(*itertools.islice(stored, count))
    images, labels = (numpy.concatenate(part) for part in parts)
    for epoch in itertools.count():
        order = numpy.random.RandomState([job.seed, epoch]).permutation(len(labels))
        for rows in order.reshape(count, job.batch_size):
            yield images[rows], labels[rows]
