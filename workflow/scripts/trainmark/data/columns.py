"""Tables of bytes: many records of the same length, a record a row, built column by column."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


def table(count: int, *parts: bytes | Bytes) -> Bytes:
    """Join parts side by side to `count` records (count, bytes).

    A part is constant bytes, the same in every record, or an array (count, bytes).
    """
    arrays = [np.frombuffer(part, np.uint8) if isinstance(part, bytes) else part for part in parts]
    records = np.empty((count, sum(array.shape[-1] for array in arrays)), dtype=np.uint8)
    first = 0
    for array in arrays:
        records[:, first : first + array.shape[-1]] = array
        first += array.shape[-1]
    return records


def checksums(function: Callable[[memoryview], int], records: Bytes, byte_order: str) -> Bytes:
    """A 32-bit checksum of each record as bytes (count, 4); `byte_order` is "<" or ">"."""
    sums = (function(record.data) for record in records)
    values = np.fromiter(sums, dtype=f"{byte_order}u4", count=len(records))
    return values.view(np.uint8).reshape(-1, 4)


def channels_last(images: Bytes) -> Bytes:
    """Images (n, C, H, W) as (n, H, W, C), copied plane by plane: faster than a transposed copy."""
    return np.stack([images[:, channel] for channel in range(images.shape[1])], axis=-1)
