"""Tables of bytes: many records of the same length, a record a row, built column by column."""

from collections.abc import Callable
from typing import Any

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


def rows(records: Bytes, first: int = 0, last: int = 0) -> list[memoryview]:
    """Each record's bytes, uncopied, without the `first` and the `last` ones."""
    flat = records.data.cast("B")
    width = records.shape[1]
    return [flat[at + first : at + width - last] for at in range(0, len(flat), width)]


def checksums(function: Callable[[memoryview], int], contents: list[memoryview]) -> NDArray[Any]:
    """A 32-bit checksum of each content, (n,) uint32."""
    return np.fromiter(map(function, contents), dtype=np.uint32, count=len(contents))


def as_bytes(values: NDArray[Any], dtype: str) -> Bytes:
    """Values (n,) in the byte order and size of `dtype`, as bytes (n, size)."""
    return values.astype(dtype).view(np.uint8).reshape(len(values), -1)


def channels_last(images: Bytes) -> Bytes:
    """Images (n, C, H, W) as (n, H, W, C), copied plane by plane: faster than a transposed copy."""
    count, channels, height, width = images.shape
    if channels == 1:
        return images.reshape(count, height, width, 1)
    return np.stack([images[:, channel] for channel in range(channels)], axis=-1)
