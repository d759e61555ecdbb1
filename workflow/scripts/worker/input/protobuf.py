"""Decoding protocol buffer records of one image and one label, a whole batch at a time.

Where all records of a batch are alike but for pixels and label, which is so unless their labels
take different numbers of bytes, they are cut out of one table of bytes; else one by one.

Source: https://protobuf.dev/programming-guides/encoding/
"""

import numpy

VARINT, FIXED_64, LENGTH_DELIMITED, FIXED_32 = 0, 1, 2, 5
FIXED_BYTES = {FIXED_64: 8, FIXED_32: 4}


def fields(record, start, stop):
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


def decode(records, locate):
    """Return pixels (n, bytes) uint8 and labels (n,) int64 of records in a list.

    `locate` gives (start, stop) of the pixels and (start, stop) of the label, a varint, in a
    record.
    """
    size = len(records[0])
    if any(len(record) != size for record in records):
        return _decode_each(records, locate)
    table = numpy.frombuffer(b"".join(records), dtype=numpy.uint8).reshape(len(records), size)
    return decode_table(table, locate)


def separate(records, locate):
    """Return the contents, a list of bytes of any lengths, and labels (n,) int64 of records."""
    places = [locate(record) for record in records]
    contents = [bytes(record[start:stop]) for record, ((start, stop), _) in zip(records, places)]
    return contents, _labels(records, places)


def decode_table(table, locate):
    """Return the same of records of the same length: (n, bytes) uint8."""
    pixels, label = locate(table[0].tobytes())
    if label[1] != table.shape[1] or not _alike(table, pixels, label):
        return _decode_each([record.tobytes() for record in table], locate)
    return table[:, slice(*pixels)], _varints(table[:, slice(*label)])


def _alike(table, pixels, label):
    """Whether all rows equal the first one but for the pixels and the label behind them."""
    constant = (slice(0, pixels[0]), slice(pixels[1], label[0]))
    return all((table[:, part] == table[0, part]).all() for part in constant)


def _decode_each(records, locate):
    places = [locate(record) for record in records]
    pixels = [
        numpy.frombuffer(record, dtype=numpy.uint8, count=stop - start, offset=start)
        for record, ((start, stop), _) in zip(records, places)
    ]
    return numpy.stack(pixels), _labels(records, places)


def _labels(records, places):
    labels = [_varint(record, start)[0] for record, (_, (start, _)) in zip(records, places)]
    return numpy.array(labels, dtype=numpy.int64)


def _varint(record, start):
    value = shift = 0
    while True:
        byte = record[start]
        value |= (byte & 0x7F) << shift
        start += 1
        shift += 7
        if byte < 0x80:
            return value, start


def _varints(columns):
    shifts = 7 * numpy.arange(columns.shape[1])
    return ((columns & 0x7F).astype(numpy.int64) << shifts).sum(axis=1)
