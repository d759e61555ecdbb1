"""Reader of the idx format, in which MNIST and its relatives are stored.

Specification: http://yann.lecun.com/exdb/mnist/ ("the idx file format"): two zero bytes, a type
code, the number of dimensions, each dimension as a big-endian 32-bit integer, then the values
row by row.
"""

import gzip
import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trainmark.data.errors import DataError

UNSIGNED_BYTE = 0x08


def read(path: Path, rows: int) -> Iterator[NDArray[np.uint8]]:
    """Yield a gzipped idx file of unsigned bytes in arrays of at most `rows` rows.

    Raises DataError for a file that is truncated, damaged, too long or of another type.
    """
    try:
        with gzip.open(path) as file:
            yield from _arrays(file, path, rows)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: damaged gzip file ({error}); delete it to get it anew") from error


def _arrays(file: gzip.GzipFile, path: Path, rows: int) -> Iterator[NDArray[np.uint8]]:
    count, *shape = _dimensions(file, path)
    row_bytes = math.prod(shape)
    for first in range(0, count, rows):
        n = min(rows, count - first)
        values = _exactly(file, n * row_bytes, path)
        yield np.frombuffer(values, dtype=np.uint8).reshape(n, *shape)
    if file.read(1):
        raise DataError(f"{path}: more bytes than the {count} rows that its header announces")


def _dimensions(file: gzip.GzipFile, path: Path) -> tuple[int, ...]:
    zeros, type_code, dimensions = struct.unpack(">HBB", _exactly(file, 4, path))
    if zeros != 0 or type_code != UNSIGNED_BYTE or dimensions == 0:
        raise DataError(f"{path}: not an idx file of unsigned bytes")
    return struct.unpack(f">{dimensions}I", _exactly(file, 4 * dimensions, path))


def _exactly(file: gzip.GzipFile, size: int, path: Path) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise DataError(f"{path}: ends {size - len(content)} bytes too early")
    return content
