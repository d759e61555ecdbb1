"""Lower contrast: each channel's differences from its mean, times 0.4."""

import numpy

FACTOR = 0.4


def corrupt(images: numpy.ndarray, numbers: numpy.ndarray) -> numpy.ndarray:
    """Draw levels towards the mean of their image's channel; shape (n, C, H, W)."""
    means = images.mean(axis=(2, 3), keepdims=True)
    changed: numpy.ndarray = (images - means) * FACTOR + means
    return changed
