"""What stands in the file of an ONNX model: its constants."""

from pathlib import Path
from typing import Iterator, Tuple

import onnx
from onnx import numpy_helper


def constants(path: Path) -> Iterator[Tuple[str, int]]:
    """The type, as numpy calls it, and the bytes of each weight that stands in the file.

    Of the integers those of 8 bits, and of 32 bits the biases beside them: others are shapes.
    """
    for tensor in onnx.load(path).graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype != "int64":
            yield str(array.dtype), array.nbytes
