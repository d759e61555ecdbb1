"""The three input modes of training batches, which are the same for every adapter."""

import itertools
import sys
from typing import Iterable, Iterator

from worker import networks
from worker.adapter import Adapter
from worker.arrays import Batch, LabelledImages
from worker.input import corruptions, dataset, fixed_batch, pixels, shuffle, tokens
from worker.input.prefetch import prefetch
from worker.job import Job


def training_batches(adapter: Adapter, job: Job) -> Iterator[Batch]:
    """An endless iterator of native batches of exactly the batch size.

    dataset: read from the adapter's format and decoded while training. cached: one epoch, decoded
    beforehand; of image files, only the batches that the run needs. synthetic: one random batch on
    the device.
    """
    if job.input_mode == "synthetic":
        return itertools.repeat(adapter.batch(*fixed_batch.whole(job)))
    if job.input_mode == "cached":
        return itertools.cycle(list(cached(adapter, job)))
    return batches(adapter, job, "train")


def batches(adapter: Adapter, job: Job, split: str) -> Iterator[Batch]:
    """Native batches of a split, read by the framework, with the job's changes of pixels."""
    assert job.data is not None, "a job that reads no data set has none"
    is_language_model = networks.is_language_model(job.network)
    if not (is_language_model or pixels.are_prepared(job, dataset.load(job.data))):
        return iter(adapter.batches(split))
    ready = prefetch(neutral_batches(adapter, job, split))
    return (adapter.batch(*batch) for batch in ready)


def neutral_batches(adapter: Adapter, job: Job, split: str) -> Iterator[LabelledImages]:
    """The prepared batches of a split, images float32 (n, C, H, W), in the host's memory."""
    assert job.data is not None, "a job that reads no data set has none"
    index, stored = dataset.load(job.data), adapter.stored_batches(split)
    if job.shuffle and split == "train":
        stored = shuffle.shuffled(stored, dataset.full_batches(index, job.batch_size), job)
    if networks.is_language_model(job.network):
        return tokens.all_with_next(stored)
    if pixels.are_prepared(job, index):
        return pixels.prepared(stored, index, job, split)
    return dataset.normalised(stored, dataset.of_job(job))


def corrupted_batches(adapter: Adapter, job: Job, corruption: str) -> Iterator[Batch]:
    """Native batches of corrupted test images: the first job.corrupted_images, or all where 0."""
    assert job.data is not None, "a job that reads no data set has none"
    index = dataset.load(job.data)
    stored = first(adapter.stored_batches("test"), job.corrupted_images)
    changed = corruptions.corrupted(stored, corruption)
    ready = prefetch(pixels.prepared(changed, index, job, "test"))
    return (adapter.batch(*batch) for batch in ready)


def first(batches: Iterable[LabelledImages], count: int) -> Iterator[LabelledImages]:
    """The batches of the first `count` images, the last batch cut; a count of 0 gives all."""
    left = count or sys.maxsize
    for images, labels in batches:
        yield images[:left], labels[:left]
        left -= len(labels)
        if left <= 0:
            return


def cached(adapter: Adapter, job: Job) -> Iterator[Batch]:
    """The batches of input mode cached: one epoch, or the run's steps if images are image files.

    A whole epoch of decoded image files would exceed any memory.
    """
    is_encoded = dataset.is_encoded(dataset.of_job(job))
    count = job.warmup_steps + job.steps if is_encoded else None
    return itertools.islice(one_epoch(adapter, job), count)


def one_epoch(adapter: Adapter, job: Job) -> Iterator[Batch]:
    """The full training batches of one epoch."""
    count = dataset.full_batches(dataset.of_job(job), job.batch_size)
    return itertools.islice(batches(adapter, job, "train"), count)
