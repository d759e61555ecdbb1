"""Decoding protocol buffer records of one image and one label, a whole batch at a time.

Usually all records of a batch differ in pixels and label alone; then these are cut out of one table
of bytes. Where labels have different numbers of bytes, records are decoded one by one.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from typing import Callable, Iterator, Sequence, Tuple, Union

import numpy

from worker.arrays import LabelledFiles

VARINT, FIXED_64, LENGTH_DELIMITED, FIXED_32 = 0, 1, 2, 5
FIXED_BYTES = {FIXED_64: 8, FIXED_32: 4}

Record = Union[bytes, memoryview]
Span = Sequence[int]
"""The first byte of a part of a record, and the one after its last: (start, stop)."""

Locate = Callable[[Record], Tuple[Span, Span]]
"""Returns the spans of the image and of the label, a varint, in a record."""

Table = Tuple[numpy.ndarray, numpy.ndarray]
"""Pixels (n, bytes) uint8 and labels (n,) int64 of n records."""


def fields(record: Record, start: int, stop: int) -> Iterator[Tuple[int, int, int]]:
    """Yield (number, start, stop) of the value of each field of a message within a record."""
    while start < stop:
        key, start = _varint(record, start)
        wire_type = key & 7
        if wire_type == LENGTH_DELIMITED:
            length, start = _varint(record, start)
            end = start + length
        elif wire_type == VARINT:
            end = _varint(record, start)[1]
        else:
            end = start + FIXED_BYTES[wire_type]
        yield key >> 3, start, end
        start = end


def decode(records: Sequence[Record], locate: Locate) -> Table:
    """Return pixels and labels of records of any lengths."""
    size = len(records[0])
    if any(len(record) != size for record in records):
        return _decode_each(records, locate)
    content = bytearray().join(records)  # PyTorch warns of arrays made of bytes
    table = numpy.frombuffer(content, dtype=numpy.uint8).reshape(len(records), size)
    return decode_table(table, locate)


def separate(records: Sequence[Record], locate: Locate) -> LabelledFiles:
    """Return the contents, a list of bytes of any lengths, and labels (n,) int64 of records."""
    spans = [locate(record) for record in records]
    contents = [bytes(record[start:stop]) for record, ((start, stop), _) in zip(records, spans)]
    return contents, _labels(records, spans)


def decode_table(table: numpy.ndarray, locate: Locate) -> Table:
    """Return pixels and labels of records of one length: (n, bytes) uint8."""
    pixels, label = locate(table[0].tobytes())
    if label[1] != table.shape[1] or not _alike(table, pixels, label):
        return _decode_each([record.tobytes() for record in table], locate)
    return table[:, slice(*pixels)], _varints(table[:, slice(*label)])


def _alike(table: numpy.ndarray, pixels: Span, label: Span) -> bool:
    """Whether all rows equal the first one but for the pixels and the label behind them."""
    constant = (slice(0, pixels[0]), slice(pixels[1], label[0]))
    return all((table[:, part] == table[0, part]).all() for part in constant)


def _decode_each(records: Sequence[Record], locate: Locate) -> Table:
    spans = [locate(record) for record in records]
    pixels = [
        numpy.frombuffer(record, dtype=numpy.uint8, count=stop - start, offset=start)
        for record, ((start, stop), _) in zip(records, spans)
    ]
    return numpy.stack(pixels), _labels(records, spans)


def _labels(records: Sequence[Record], spans: Sequence[Tuple[Span, Span]]) -> numpy.ndarray:
    labels = [_varint(record, start)[0] for record, (_, (start, _)) in zip(records, spans)]
    return numpy.array(labels, dtype=numpy.int64)


def _varint(record: Record, start: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = record[start]
        value |= (byte & 0x7F) << shift
        start += 1
        shift += 7
        if byte < 0x80:
            return value, start


def _varints(columns: numpy.ndarray) -> numpy.ndarray:
    shifts = 7 * numpy.arange(columns.shape[1])
    values: numpy.ndarray = ((columns & 0x7F).astype(numpy.int64) << shifts).sum(axis=1)
    return values
