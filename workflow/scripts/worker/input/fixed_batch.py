"""The fixed batch: random images and labels from a job's seed, equal in every framework."""

import numpy

from worker import networks
from worker.arrays import LabelledImages
from worker.job import Job
from worker.networks.neutral.tokens import BYTES

DISTINCT_IMAGES = 8


def whole(job: Job, draw: int = 0) -> LabelledImages:
    """The distinct images of a job's fixed batch, repeated up to its batch size."""
    images, labels = distinct(job, draw)
    times = job.batch_size // len(labels)
    return numpy.tile(images, (times, 1, 1, 1)), numpy.tile(labels, times)


def distinct(job: Job, draw: int = 0) -> LabelledImages:
    """The distinct images of a job's fixed batch, n = distinct_images().

    Each `draw` gives other images. Pixels are normally distributed, or bytes if the network reads
    bytes.
    """
    generator = numpy.random.RandomState(job.seed + draw)
    count = distinct_images(job.device_batch_size)
    shape = (count, *job.image_shape)
    reads_bytes = networks.reads_bytes(job.network)
    images = generator.randint(BYTES, size=shape) if reads_bytes else generator.normal(size=shape)
    labels = generator.randint(0, job.classes, count)
    return images.astype(numpy.float32), labels.astype(numpy.int64)


def distinct_images(batch_size: int) -> int:
    """The largest divisor up to 8 of one device's batch size.

    A batch that repeats these images has the same mean loss, gradients and batch statistics as the
    images alone, on each device. So the reference computes only these.
    """
    return max(n for n in range(1, DISTINCT_IMAGES + 1) if batch_size % n == 0)
