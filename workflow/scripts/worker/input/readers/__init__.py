"""One file per storage format, for frameworks without a reader of their own."""

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
    """The reader of a data set's batches of uint8, whether it has pixels or image files.

    storage: a reader's module, with `batches` of pixels, `files` of image files, and the memory
    layout of both (CHANNELS_LAST); decode: the function that decodes an image file, by default
    worker.input.readers.images.read; options: arguments of `batches` or `files`.
    """
    if not dataset.is_encoded(index):
        return partial(storage.batches, **options)
    from worker.input.readers import images  # whose Pillow nothing else needs

    files = partial(storage.files, **options)
    return images.Reader(files, job, storage.CHANNELS_LAST, decode).batches
