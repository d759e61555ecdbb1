"""Messages of arrays between two processes, whatever their versions of Python and numpy.

A message is a kind, a word, and arrays. All are .npy files one after the other, after their total
length in eight bytes: numpy.save can't write to a pipe, nor numpy.load read from one.
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
    """Read a message that send() wrote; None where the stream ends before it or within it."""
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
