"""One file per storage format, for frameworks that bring no reader of their own."""

from functools import partial
from types import ModuleType
from typing import Any

from worker.input import dataset
from worker.job import Job


def choose(storage: ModuleType, index: dataset.Index, job: Job, **options: Any) -> dataset.Read:
    """What yields a data set's batches of uint8: the reader of its storage format, or of images.

    storage: a reader's module, which has `batches` of pixels, `files` of image files, and how the
    images of both lie in memory (CHANNELS_LAST); options: of `batches` or `files`.
    """
    if not dataset.is_encoded(index):
        return partial(storage.batches, **options)
    from worker.input.readers import images  # whose Pillow nothing else needs

    return images.Reader(partial(storage.files, **options), job, storage.CHANNELS_LAST).batches
