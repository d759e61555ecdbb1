"""Rotation by 30 degrees about the middle, counter-clockwise; pixels at the edge go on outwards."""

import numpy

DEGREES = 30.0


def corrupt(images: numpy.ndarray, numbers: numpy.ndarray) -> numpy.ndarray:
    """Rotate images; shape (n, C, H, W)."""
    return rotated(images, DEGREES)


def rotated(images: numpy.ndarray, degrees: float) -> numpy.ndarray:
    """Rotate images; each pixel is interpolated bilinearly at the position that it comes from."""
    height, width = images.shape[2:]
    cosine, sine = numpy.cos(numpy.radians(degrees)), numpy.sin(numpy.radians(degrees))
    y, x = (height - 1) / 2, (width - 1) / 2
    down, right = numpy.mgrid[:height, :width].astype(float) - [[[y]], [[x]]]
    rows = numpy.clip(y + cosine * down + sine * right, 0, height - 1)
    columns = numpy.clip(x + cosine * right - sine * down, 0, width - 1)
    top, left = rows.astype(int), columns.astype(int)
    bottom, far = numpy.minimum(top + 1, height - 1), numpy.minimum(left + 1, width - 1)
    below, beside = rows - top, columns - left
    upper = images[:, :, top, left] * (1 - beside) + images[:, :, top, far] * beside
    lower = images[:, :, bottom, left] * (1 - beside) + images[:, :, bottom, far] * beside
    interpolated: numpy.ndarray = upper * (1 - below) + lower * below
    return interpolated
