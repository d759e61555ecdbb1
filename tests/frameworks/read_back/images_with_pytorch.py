"""Read image files from an LMDB with the lmdb package in PyTorch's environment."""

import json
import sys
from pathlib import Path

import lmdb

DATA, LABEL, ENCODED = 4, 5, 7


def fields(message):
    """The fields of a protocol buffer message by their numbers."""
    values_by_number, position = {}, 0
    while position < len(message):
        tag, position = varint(message, position)
        value, position = varint(message, position)
        if tag & 7 == 2:
            value, position = message[position : position + value], position + value
        values_by_number[tag >> 3] = value
    return values_by_number


def varint(message, position):
    """A number, and where the next begins."""
    value = shift = 0
    while True:
        value |= (message[position] & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if message[position - 1] < 0x80:
            return value, position


path, output = sys.argv[1:]
with lmdb.open(path, readonly=True, lock=False) as environment, environment.begin() as transaction:
    datums = [fields(value) for _, value in transaction.cursor()]
assert all(datum[ENCODED] == 1 for datum in datums)
images = [(datum[DATA].hex(), datum[LABEL]) for datum in datums]
Path(output).write_text(json.dumps(images))
