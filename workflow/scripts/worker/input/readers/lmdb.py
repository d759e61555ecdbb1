"""Reader of an LMDB of Caffe's Datum messages, in stored order.

Source: https://github.com/BVLC/caffe/blob/master/src/caffe/proto/caffe.proto (Datum).
"""

import itertools
from typing import Iterator, List, Sequence, Tuple

import lmdb
import numpy

from worker import devices
from worker.arrays import LabelledFiles, LabelledImages
from worker.input import dataset
from worker.input.readers import protobuf

DATA, LABEL = 4, 5
CHANNELS_LAST = False  # in memory


def batches(
    index: dataset.Index, split: str, batch_size: int, part: devices.Part = devices.WHOLE
) -> Iterator[LabelledImages]:
    """Yield one epoch of (images (n, C, H, W) uint8, labels (n,) int64).

    "train" gives full batches only, "test" all images, so that the last batch may be smaller. Of
    each batch only the rows of `part` are decoded.
    Raises dataset.DataError where the database doesn't match the index.
    """
    shape = index["image_shape"]
    for datums in _batches(index, split, batch_size, part):
        pixels, labels = _decode(datums, shape)
        if pixels.shape[1] != numpy.prod(shape):
            path = index["splits"][split]["path"]
            raise dataset.DataError(f"{path} holds images of another shape")
        yield pixels.reshape(-1, *shape), labels


def files(
    index: dataset.Index, split: str, batch_size: int, part: devices.Part = devices.WHOLE
) -> Iterator[LabelledFiles]:
    """Yield one epoch of image files: (n contents, labels (n,) int64), in batches as above."""
    for datums in _batches(index, split, batch_size, part):
        yield protobuf.separate(datums, locate)


def locate(datum: protobuf.Record) -> Tuple[protobuf.Span, protobuf.Span]:
    """Return (start, stop) of the image and of the label in a Datum."""
    spans = {number: (start, stop) for number, start, stop in protobuf.fields(datum, 0, len(datum))}
    return spans[DATA], spans[LABEL]


def _decode(datums: Sequence[protobuf.Record], shape: Sequence[int]) -> protobuf.Table:
    if not datums:
        return numpy.empty((0, numpy.prod(shape)), numpy.uint8), numpy.empty(0, numpy.int64)
    return protobuf.decode(datums, locate)


def _batches(
    index: dataset.Index, split: str, batch_size: int, part: devices.Part
) -> Iterator[List[memoryview]]:
    """Yield lists of Datums, in the database's own memory."""
    path = index["splits"][split]["path"]
    environment = lmdb.open(path, readonly=True, lock=False)
    with environment, environment.begin(buffers=True) as transaction:
        values = transaction.cursor().iternext(keys=False)
        for size in dataset.batch_sizes(index, split, batch_size):
            datums = list(itertools.islice(values, size))
            if len(datums) < size:
                raise dataset.DataError(f"{path} ends before its index says")
            yield datums[devices.rows(size, *part)]
