"""Read image files from an LMDB with the lmdb package in PyTorch's environment."""

import json
import sys
from pathlib import Path

import lmdb

DATA, LABEL, ENCODED = 4, 5, 7


def fields(message):
    """The fields of a protocol buffer message by their numbers."""
    found, place = {}, 0
    while place < len(message):
        tag, place = varint(message, place)
        value, place = varint(message, place)
        if tag & 7 == 2:
            value, place = message[place : place + value], place + value
        found[tag >> 3] = value
    return found


def varint(message, place):
    """A number, and where the next begins."""
    value = shift = 0
    while True:
        value |= (message[place] & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if message[place - 1] < 0x80:
            return value, place


path, output = sys.argv[1:]
with lmdb.open(path, readonly=True, lock=False) as environment, environment.begin() as transaction:
    datums = [fields(value) for _, value in transaction.cursor()]
assert all(datum[ENCODED] == 1 for datum in datums)
images = [(datum[DATA].hex(), datum[LABEL]) for datum in datums]
Path(output).write_text(json.dumps(images))
