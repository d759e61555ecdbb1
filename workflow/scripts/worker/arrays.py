"""Arrays and batches that the worker's packages share: their types, and filling them up."""

from typing import Any, Dict, List, Tuple

import numpy

Shape = Tuple[int, ...]

Weights = Dict[str, numpy.ndarray]
"""A network's weights by name: float32, in neutral layout."""

LabelledImages = Tuple[numpy.ndarray, numpy.ndarray]
"""Images (n, C, H, W), uint8 as stored or normalised float32, and labels (n,) int64.

Labels for a language model are (n, tokens): the token that follows each.
"""

LabelledFiles = Tuple[List[bytes], numpy.ndarray]
"""The contents of n image files, and labels (n,) int64."""

Predictions = Tuple[numpy.ndarray, numpy.ndarray]
"""Logits (n, classes) float32, and labels (n,) int64; in a language model tokens follow n."""

Batch = Any
"""A batch in a framework's own form, on its device; only its adapter reads it."""


def filled(array: numpy.ndarray, count: int) -> numpy.ndarray:
    """The array (n, ...), with zeros of its dtype appended up to (count, ...); contiguous.

    A contiguous array of `count` rows is returned itself.
    """
    missing = count - len(array)
    if not missing:
        return numpy.ascontiguousarray(array)
    return numpy.pad(array, [(0, missing), *[(0, 0)] * (array.ndim - 1)], "constant")
