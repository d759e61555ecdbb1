"""Spans of a run's steps or samples: a few parts of nearly equal length."""

from collections.abc import Callable

import numpy as np


def of_spans(function: Callable[..., np.ndarray], values: np.ndarray, most: int) -> np.ndarray:
    """What a function gives for each span of values (n,), in their order; n is at least 1.

    There are `most` spans, or n where n is smaller. Their lengths are those of numpy.array_split:
    equal, or the first ones longer by one. `function` is called as numpy.median is, with values
    (spans, length) and axis=1, for all spans of one length at once.
    """
    count = min(most, len(values))
    length, longer = divmod(len(values), count)
    edge = longer * (length + 1)
    parts = values[:edge].reshape(longer, length + 1), values[edge:].reshape(-1, length)
    return np.concatenate([function(part, axis=1) for part in parts if len(part)])
