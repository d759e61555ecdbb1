"""The forms of a TensorFlow.js model: the types of its stored constants. It computes in float32."""

from typing import Any, Callable, Dict, Tuple

import numpy

LEVELS = 255  # above the lowest, of 8 bits

Stored = Tuple[numpy.ndarray, Dict[str, Any]]
"""A constant as it is stored, and its quantisation in the manifest."""


def float32(array: numpy.ndarray) -> Stored:
    """The constant unchanged."""
    return array, {}


def float16(array: numpy.ndarray) -> Stored:
    """A constant rounded to float16."""
    return array.astype(numpy.float16), {"dtype": "float16"}


def int8_weights(array: numpy.ndarray) -> Stored:
    """A constant in 256 equidistant levels; 0 is one of them where it lies within their range.

    TensorFlow's converter does the same: tfjs-converter/python/tensorflowjs/quantization.py.
    """
    low, high = float(array.min()), float(array.max())
    scale = (high - low) / LEVELS or 1.0
    if low <= 0 <= high:
        low = scale * round(low / scale)
    levels = numpy.clip(numpy.round((array - low) / scale), 0, LEVELS)
    return levels.astype(numpy.uint8), {"dtype": "uint8", "min": low, "scale": scale}


def stored(array: numpy.ndarray, form: str) -> Stored:
    """A constant in a form; shapes, axes and single numbers stay as they are."""
    if array.dtype == numpy.int32 or array.size == 1:
        return float32(array)
    values, quantisation = FORMS[form](array)
    if not quantisation:
        return values, {}
    return values, {"quantization": {**quantisation, "original_dtype": "float32"}}


FORMS: Dict[str, Callable[[numpy.ndarray], Stored]] = {
    "float32": float32,
    "float16": float16,
    "int8-weights": int8_weights,
}
