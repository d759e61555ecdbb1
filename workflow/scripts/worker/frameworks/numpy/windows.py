"""Unfolding images (n, C, H, W) into the windows of a convolution or a pooling, and back."""

from typing import Sequence, Tuple

import numpy
from numpy.lib.stride_tricks import as_strided


def pad(
    x: numpy.ndarray, padding: int, value: float, overhang: Sequence[int] = (0, 0)
) -> numpy.ndarray:
    """Pad images with a value on all sides, and by `overhang` more at the bottom and the right."""
    margins = ((0, 0), (0, 0), *((padding, padding + more) for more in overhang))
    return numpy.pad(x, margins, mode="constant", constant_values=value)


def unfold(x: numpy.ndarray, kernel: int, stride: int) -> Tuple[numpy.ndarray, Tuple[int, int]]:
    """Windows of (n, C, H, W) as (n, C * kernel * kernel, positions) and (height, width)."""
    height, width = ((size - kernel) // stride + 1 for size in x.shape[2:])
    n, c, row, column = x.strides
    windows = as_strided(
        x,
        (*x.shape[:2], kernel, kernel, height, width),
        (n, c, row, column, row * stride, column * stride),
        writeable=False,
    )
    return windows.reshape(len(x), -1, height * width), (height, width)


def fold(
    windows: numpy.ndarray,
    shape: Sequence[int],
    stride: int,
    padding: int,
    overhang: Sequence[int] = (0, 0),
) -> numpy.ndarray:
    """The adjoint of pad and unfold: sum the windows' values at their positions in the image."""
    kernel, (height, width) = windows.shape[2], windows.shape[4:]
    rows, columns = (size + 2 * padding + more for size, more in zip(shape[2:], overhang))
    total = numpy.zeros((*shape[:2], rows, columns), windows.dtype)
    for i in range(kernel):
        for j in range(kernel):
            down = slice(i, i + stride * height, stride)
            right = slice(j, j + stride * width, stride)
            total[:, :, down, right] += windows[:, :, i, j]
    return total[:, :, padding : padding + shape[2], padding : padding + shape[3]]
