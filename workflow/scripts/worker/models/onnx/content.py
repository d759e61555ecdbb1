"""The content of an ONNX model's file: its constants, and the types of its products."""

from pathlib import Path
from typing import Iterator, List, Tuple

import onnx
from onnx import numpy_helper

PRODUCTS = ("Conv", "Gemm", "MatMul", "LSTM")
OF_INT8 = ("MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM")


def constants(path: Path) -> Iterator[Tuple[str, int]]:
    """Yield the numpy type and the bytes of each weight in the file.

    Integers of 8 bits are weights, and of 32 bits the biases beside them; others are shapes.
    """
    for tensor in onnx.load(path).graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype != "int64":
            yield str(array.dtype), array.nbytes


def product_types(path: Path) -> List[str]:
    """The types of the factors of convolutions and products, sorted.

    int8 counts where the operator is one of 8 bits, or its weights are dequantised from 8 bits.
    """
    nodes = onnx.load(path).graph.node
    restored = {node.output[0] for node in nodes if node.op_type == "DequantizeLinear"}
    types = {"int8" for node in nodes if node.op_type in OF_INT8}
    for node in nodes:
        if node.op_type in PRODUCTS:
            types.add("int8" if node.input[1] in restored else "float32")
    return sorted(types)
