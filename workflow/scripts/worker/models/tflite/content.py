"""The content of a TensorFlow Lite model's file: its constants, and the types of its products."""

from pathlib import Path
from typing import Any, Iterator, List, Tuple

from ai_edge_litert import schema_py_generated as schema

from worker.models.tflite.graph import NOTHING, OPERATORS

INT32 = schema.TensorType.INT32
PRODUCTS = (
    OPERATORS.CONV_2D,
    OPERATORS.DEPTHWISE_CONV_2D,
    OPERATORS.FULLY_CONNECTED,
    OPERATORS.BATCH_MATMUL,
    OPERATORS.UNIDIRECTIONAL_SEQUENCE_LSTM,
)
NAMES = {number: name.lower() for name, number in vars(schema.TensorType).items() if name.isupper()}
"""Types by the schema's numbers, as numpy calls them."""


def constants(path: Path) -> Iterator[Tuple[str, int]]:
    """Yield the type and the bytes of each weight in the file.

    Integers are weights only as inputs of products; others are shapes and axes.
    """
    model, graph = _read(path)
    codes = [code.builtinCode for code in model.operatorCodes]
    numbers = {
        number
        for operator in graph.operators
        for number in operator.inputs
        if codes[operator.opcodeIndex] in PRODUCTS or graph.tensors[number].type != INT32
    }
    for tensor in (graph.tensors[number] for number in sorted(numbers - {NOTHING.number})):
        buffer = model.buffers[tensor.buffer]
        # a quantiser writes large models' buffers behind the graph; their bytes are in `size`
        size = buffer.size if buffer.data is None else len(buffer.data)
        if size:
            yield NAMES[tensor.type], size


def product_types(path: Path) -> List[str]:
    """The types of the factors of convolutions and products, sorted."""
    model, graph = _read(path)
    codes = [code.builtinCode for code in model.operatorCodes]
    products = [each for each in graph.operators if codes[each.opcodeIndex] in PRODUCTS]
    return sorted({NAMES[graph.tensors[each.inputs[1]].type] for each in products})


def _read(path: Path) -> Tuple[Any, Any]:
    """A model and its graph."""
    model = schema.ModelT.InitFromPackedBuf(path.read_bytes(), 0)
    return model, model.subgraphs[0]
