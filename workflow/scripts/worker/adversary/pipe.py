"""Messages of arrays between two processes, whatever their Pythons and their numpy.

A message is its kind, a word, and arrays: all as .npy behind one another, behind their length in
eight bytes, as numpy.save can't write to a pipe, nor numpy.load read from one.
"""

import io
import struct
from typing import IO, List, Optional, Tuple

import numpy

LENGTH = struct.Struct("<q")

Message = Tuple[str, List[numpy.ndarray]]
"""Its kind and its arrays."""


def send(stream: IO[bytes], kind: str, *arrays: numpy.ndarray) -> None:
    """Write a message; raises BrokenPipeError where nobody reads any more."""
    content = io.BytesIO()
    for array in (numpy.array(kind), *arrays):
        numpy.save(content, array, allow_pickle=False)
    stream.write(LENGTH.pack(content.tell()) + content.getvalue())
    stream.flush()


def receive(stream: IO[bytes]) -> Optional[Message]:
    """What send() wrote; None where the stream has ended, within a message or before it."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    content = io.BytesIO(stream.read(length))
    if len(content.getvalue()) < length:
        return None
    kind = str(numpy.load(content, allow_pickle=False))
    arrays = []
    while content.tell() < length:
        arrays.append(numpy.load(content, allow_pickle=False))
    return kind, arrays
