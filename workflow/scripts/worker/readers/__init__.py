"""One file per storage format, for frameworks that bring no reader of their own."""

from functools import partial

from worker import dataset


def choose(storage, index, job, decode=None, **options):
    """What yields a data set's batches of uint8: the reader of its storage format, or of images.

    storage: a reader's module, which has `batches` of pixels, `files` of image files, and how the
    images of both lie in memory (CHANNELS_LAST); decode: what decodes an image file, if not
    worker.readers.images.read; options: of `batches` or `files`.
    """
    if not dataset.is_encoded(index):
        return partial(storage.batches, **options)
    from worker.readers import images  # whose Pillow nothing else needs

    files = partial(storage.files, **options)
    return images.Reader(files, job, storage.CHANNELS_LAST, decode).batches
