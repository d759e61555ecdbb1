"""The fixed batch: random images and labels from a job's seed, equal in every framework."""

import numpy

from worker import networks
from worker.arrays import LabelledImages
from worker.input import tokens
from worker.job import Job
from worker.networks.neutral.tokens import BYTES

DISTINCT_IMAGES = 8
DISTINCT_TOKENS = 1024  # of a language model's batch; one window may have more


def whole(job: Job, draw: int = 0) -> LabelledImages:
    """The distinct images of a job's fixed batch, repeated up to its batch size."""
    images, labels = distinct(job, draw)
    times = job.batch_size // len(labels)
    return numpy.tile(images, (times, 1, 1, 1)), numpy.concatenate([labels] * times)


def distinct(job: Job, draw: int = 0) -> LabelledImages:
    """The distinct images of a job's fixed batch, n = distinct_images().

    Each `draw` gives other images. Pixels are normally distributed, or integers if the network
    reads these: bytes, or of a language model the numbers of its vocabulary.
    """
    generator = numpy.random.RandomState(job.seed + draw)
    count = distinct_images(job)
    shape = (count, *job.image_shape)
    is_language_model = networks.is_language_model(job.network)
    numbers = job.classes if is_language_model else BYTES
    reads_numbers = networks.reads_text(job.network)
    images = (
        generator.randint(numbers, size=shape) if reads_numbers else generator.normal(size=shape)
    )
    labels = generator.randint(0, job.classes, count)
    batch = images.astype(numpy.float32), labels.astype(numpy.int64)
    return tokens.with_next(*batch) if is_language_model else batch


def distinct_images(job: Job) -> int:
    """The largest divisor up to 8 of one device's batch size; fewer where texts are long.

    A batch that repeats these images has the same mean loss, gradients and batch statistics as the
    images alone, on each device. So the reference computes only these.
    """
    most = DISTINCT_IMAGES
    if networks.is_language_model(job.network):
        most = min(most, max(1, DISTINCT_TOKENS // job.image_shape[-1]))
    return max(n for n in range(1, most + 1) if job.device_batch_size % n == 0)
