"""One file per storage format, for frameworks that bring no reader of their own."""

from functools import partial
from types import ModuleType
from typing import Any, Callable, Optional

from worker.input import dataset
from worker.job import Job


def choose(
    storage: ModuleType,
    index: dataset.Index,
    job: Job,
    decode: Optional[Callable[..., None]] = None,
    **options: Any,
) -> dataset.Read:
    """What yields a data set's batches of uint8: the reader of its storage format, or of images.

    storage: a reader's module, which has `batches` of pixels, `files` of image files, and how the
    images of both lie in memory (CHANNELS_LAST); decode: what decodes an image file, if not
    worker.input.readers.images.read; options: of `batches` or `files`.
    """
    if not dataset.is_encoded(index):
        return partial(storage.batches, **options)
    from worker.input.readers import images  # whose Pillow nothing else needs

    files = partial(storage.files, **options)
    return images.Reader(files, job, storage.CHANNELS_LAST, decode).batches
