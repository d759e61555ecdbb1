"""What stands in the file of an ONNX model: its constants, and the types of its products."""

from pathlib import Path
from typing import Iterator, List, Tuple

import onnx
from onnx import numpy_helper

PRODUCTS = ("Conv", "Gemm", "MatMul", "LSTM")
OF_INT8 = ("MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM")


def constants(path: Path) -> Iterator[Tuple[str, int]]:
    """The type, as numpy calls it, and the bytes of each weight that stands in the file.

    Of the integers those of 8 bits, and of 32 bits the biases beside them: others are shapes.
    """
    for tensor in onnx.load(path).graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype != "int64":
            yield str(array.dtype), array.nbytes


def product_types(path: Path) -> List[str]:
    """The types of what convolutions and products multiply by, sorted.

    Of 8 bits are the operators of such numbers, and those whose weights are brought from 8 bits.
    """
    nodes = onnx.load(path).graph.node
    restored = {node.output[0] for node in nodes if node.op_type == "DequantizeLinear"}
    found = {"int8" for node in nodes if node.op_type in OF_INT8}
    for node in nodes:
        if node.op_type in PRODUCTS:
            found.add("int8" if node.input[1] in restored else "float32")
    return sorted(found)
