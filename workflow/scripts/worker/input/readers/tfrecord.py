"""Reader of TFRecord files of tf.train.Example messages, in stored order, without TensorFlow.

Pixels are in one file, image files in several of a folder. Checksums are left unchecked: Python has
no CRC-32C, and the shape of every record of pixels is checked.

Sources: https://www.tensorflow.org/tutorials/load_data/tfrecord and
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/example/feature.proto.
"""

import itertools
import struct
from pathlib import Path
from typing import BinaryIO, Iterator, Tuple

import numpy

from worker import devices
from worker.arrays import LabelledFiles, LabelledImages
from worker.input import dataset
from worker.input.readers import protobuf

FRAME_HEAD_BYTES, FRAME_TAIL_BYTES = 12, 4
FEATURES, FEATURE, KEY, VALUE = 1, 1, 1, 2
CHANNELS_LAST = True  # in memory


def batches(
    index: dataset.Index, split: str, batch_size: int, part: devices.Part = devices.WHOLE
) -> Iterator[LabelledImages]:
    """Yield one epoch of (images (n, C, H, W) uint8, labels (n,) int64).

    The images are a view of (n, H, W, C), as stored. "train" gives full batches only, "test" all
    images, so that the last batch may be smaller, of each batch the rows of `part`. Raises
    dataset.DataError where the file doesn't match the index.
    """
    channels, height, width = index["image_shape"]
    path = index["splits"][split]["path"]
    with Path(path).open("rb") as file:
        for size in dataset.batch_sizes(index, split, batch_size):
            pixels, labels = _read(file, size)
            if pixels.shape[1] != channels * height * width:
                raise dataset.DataError(f"{path} holds images of another shape")
            rows = devices.rows(size, *part)
            images = pixels.reshape(-1, height, width, channels).transpose(0, 3, 1, 2)
            yield images[rows], labels[rows]


def files(
    index: dataset.Index, split: str, batch_size: int, part: devices.Part = devices.WHOLE
) -> Iterator[LabelledFiles]:
    """Yield one epoch of image files in a folder: (n contents, labels (n,) int64)."""
    path = index["splits"][split]["path"]
    examples = itertools.chain.from_iterable(map(_examples, sorted(Path(path).iterdir())))
    for size in dataset.batch_sizes(index, split, batch_size):
        records = list(itertools.islice(examples, size))
        if len(records) < size:
            raise dataset.DataError(f"{path} ends before its index says")
        yield protobuf.separate(records[devices.rows(size, *part)], locate)


def locate(example: protobuf.Record) -> Tuple[protobuf.Span, protobuf.Span]:
    """Return (start, stop) of the image and of the label in an Example."""
    items = {}
    ((_, *features),) = protobuf.fields(example, 0, len(example))
    for _, start, stop in protobuf.fields(example, *features):
        entry = {number: span for number, *span in protobuf.fields(example, start, stop)}
        ((_, *values),) = protobuf.fields(example, *entry[VALUE])
        ((_, *item),) = protobuf.fields(example, *values)
        items[bytes(example[slice(*entry[KEY])])] = item
    return items[b"image"], items[b"label"]


def _read(file: BinaryIO, count: int) -> protobuf.Table:
    """Decode the next records: all at once if the first is as long as all others."""
    start = file.tell()
    head = _exactly(file, FRAME_HEAD_BYTES)
    file.seek(start)
    size = _example_bytes(head) + FRAME_HEAD_BYTES + FRAME_TAIL_BYTES
    content = file.read(count * size)
    if len(content) == count * size:
        table = numpy.frombuffer(content, dtype=numpy.uint8).reshape(count, size)
        if (table[:, :FRAME_HEAD_BYTES] == table[0, :FRAME_HEAD_BYTES]).all():
            return protobuf.decode_table(table[:, FRAME_HEAD_BYTES:-FRAME_TAIL_BYTES], locate)
    file.seek(start)
    return protobuf.decode([_example(file) for _ in range(count)], locate)


def _examples(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while file.peek(1):
            yield _example(file)


def _example(file: BinaryIO) -> bytes:
    size = _example_bytes(_exactly(file, FRAME_HEAD_BYTES))
    return _exactly(file, size + FRAME_TAIL_BYTES)[:size]


def _example_bytes(head: bytes) -> int:
    (size,) = struct.unpack_from("<Q", head)
    return int(size)


def _exactly(file: BinaryIO, size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise dataset.DataError(f"{file.name} ends before its index says")
    return content
