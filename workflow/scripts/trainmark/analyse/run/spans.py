"""Spans of a run's steps or samples: a few parts of nearly equal length."""

from collections.abc import Callable

import numpy as np


def of_spans(function: Callable[..., np.ndarray], values: np.ndarray, most: int) -> np.ndarray:
    """What a function gives for each span of values (n,), in their order; n is at least 1.

    There are `most` spans, or n if these are fewer; the first are longer by one value where n can't
    be divided, as in numpy.array_split. `function` takes values (spans, length) and `axis=1`.
    """
    count = min(most, len(values))
    length, longer = divmod(len(values), count)
    edge = longer * (length + 1)
    parts = values[:edge].reshape(longer, length + 1), values[edge:].reshape(-1, length)
    return np.concatenate([function(part, axis=1) for part in parts if len(part)])
