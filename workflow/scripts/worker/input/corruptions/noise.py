"""Gaussian noise, different in each image: a standard deviation of a tenth of black to white."""

import numpy

DEVIATION = 25.5


def corrupt(images: numpy.ndarray, numbers: numpy.ndarray) -> numpy.ndarray:
    """Add noise, seeded by each image's number; shapes (n, C, H, W) and (n,)."""
    # RandomState, whose numbers stay the same from one numpy to the next.
    draws = [numpy.random.RandomState(n).standard_normal(images.shape[1:]) for n in numbers]
    return images + DEVIATION * numpy.stack(draws)
