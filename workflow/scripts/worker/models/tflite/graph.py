"""A TensorFlow Lite model under construction, by the flatbuffers schema in LiteRT's package.

Operators: https://ai.google.dev/edge/litert/models/ops_compatibility, and
tensorflow/compiler/mlir/lite/schema/schema.fbs.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import flatbuffers
import numpy
from ai_edge_litert import schema_py_generated as schema

OPERATORS = schema.BuiltinOperator
NO_ACTIVATION = schema.ActivationFunctionType.NONE
ACTIVATIONS = {
    OPERATORS.RELU: schema.ActivationFunctionType.RELU,
    OPERATORS.RELU6: schema.ActivationFunctionType.RELU6,
}
TYPES = {"float32": schema.TensorType.FLOAT32, "int32": schema.TensorType.INT32}
IDENTIFIER = b"TFL3"
VERSION = 3  # the schema's version
OLD_OPERATORS = 127  # operators with larger numbers have them only in a second, newer field
IMAGES, LOGITS, SIGNATURE = "images", "logits", "serving_default"


class Tensor(NamedTuple):
    """A tensor of the model: its number, and its shape, including the batch."""

    number: int
    shape: Tuple[int, ...]


class Option(NamedTuple):
    """An operator's options, and the number of their kind."""

    value: Any
    kind: int


NOTHING = Tensor(-1, ())
"""The placeholder of an optional input that is absent."""


def option(kind: str, **values: Any) -> Option:
    """An operator's options, by the name of their kind in the schema."""
    options = getattr(schema, kind + "T")()
    for name, value in values.items():
        setattr(options, name, value)
    return Option(options, getattr(schema.BuiltinOptions, kind))


class Graph:
    """Operators in the order in which they are computed, and their tensors."""

    def __init__(self) -> None:
        self.buffers = [schema.BufferT()]  # the first one is empty by the schema
        self.tensors: List[Any] = []
        self.codes: List[Any] = []
        self.operators: List[Any] = []

    def tensor(self, shape: Sequence[int], dtype: str = "float32") -> Tensor:
        """Add a tensor that an operator computes, or the model's input."""
        return self._tensor(shape, dtype, schema.BufferT())

    def state(self, shape: Sequence[int]) -> Tensor:
        """Add a float32 tensor of an operator's state; it starts from 0, calls keep its values."""
        tensor = self.tensor(shape)
        self.tensors[tensor.number].isVariable = True
        return tensor

    def constant(self, values: Any) -> Tensor:
        """Add a tensor with values that the file stores, float32 or int32."""
        array = numpy.asarray(values, order="C")
        buffer = schema.BufferT()
        buffer.data = numpy.frombuffer(array.tobytes(), numpy.uint8)
        return self._tensor(array.shape, str(array.dtype), buffer)

    def numbers(self, *values: int) -> Tensor:
        """Add a constant vector of int32."""
        return self.constant(numpy.array(values, numpy.int32))

    def operator(
        self,
        code: int,
        inputs: Sequence[Tensor],
        shape: Sequence[int],
        options: Optional[Option] = None,
        dtype: str = "float32",
    ) -> Tensor:
        """Add an operator; returns its output, a tensor of `shape` and `dtype`."""
        output = self.tensor(shape, dtype)
        operator = schema.OperatorT()
        operator.opcodeIndex = self._code(code)
        operator.inputs, operator.outputs = [tensor.number for tensor in inputs], [output.number]
        if options:
            operator.builtinOptions, operator.builtinOptionsType = options
        self.operators.append(operator)
        return output

    def fuse_activations(self) -> None:
        """Fuse a ReLU into the operator before it, as TensorFlow's converter does.

        No other operator may read the output of the operator before.
        """
        remaining: List[Any] = []
        for operator in self.operators:
            activation = ACTIVATIONS.get(self.codes[operator.opcodeIndex].builtinCode)
            source = None if activation is None else self._only_before(operator, remaining)
            if source is None:
                remaining.append(operator)
            else:
                source.builtinOptions.fusedActivationFunction = activation
                source.outputs = operator.outputs
        self.operators = remaining

    def content(self, images: Tensor, logits: Tensor) -> bytes:
        """The file of the model from `images` to `logits`; quantisers need its signature."""
        numbers = self._drop_unused()
        source, target = numbers[images.number], numbers[logits.number]
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators = b"network", self.tensors, self.operators
        graph.inputs, graph.outputs = [source], [target]
        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = SIGNATURE, 0
        signature.inputs, signature.outputs = [_named(IMAGES, source)], [_named(LOGITS, target)]
        model = schema.ModelT()
        model.version, model.description = VERSION, "trainmark"
        model.operatorCodes, model.buffers = self.codes, self.buffers
        model.subgraphs, model.signatureDefs = [graph], [signature]
        builder = flatbuffers.Builder(0)
        builder.Finish(model.Pack(builder), file_identifier=IDENTIFIER)
        return bytes(builder.Output())

    def _drop_unused(self) -> Dict[int, int]:
        """Drop tensors that no operator uses any more; return the others' new numbers by old."""
        ends = [number for each in self.operators for number in (*each.inputs, *each.outputs)]
        used = sorted({*ends} - {NOTHING.number})
        numbers = {number: index for index, number in enumerate(used)}
        numbers[NOTHING.number] = NOTHING.number
        for operator in self.operators:
            operator.inputs = [numbers[number] for number in operator.inputs]
            operator.outputs = [numbers[number] for number in operator.outputs]
        self.tensors = [self.tensors[number] for number in used]
        return numbers

    def _tensor(self, shape: Sequence[int], dtype: str, buffer: Any) -> Tensor:
        tensor = schema.TensorT()
        tensor.shape, tensor.type = [int(size) for size in shape], TYPES[dtype]
        tensor.name, tensor.buffer = f"tensor_{len(self.tensors)}", len(self.buffers)
        self.buffers.append(buffer)  # a computed tensor has an empty buffer of its own
        self.tensors.append(tensor)
        return Tensor(len(self.tensors) - 1, tuple(tensor.shape))

    def _code(self, code: int) -> int:
        """The index of an operator's kind among the model's kinds; a new kind is added."""
        codes = [each.builtinCode for each in self.codes]
        if code not in codes:
            entry = schema.OperatorCodeT()
            entry.builtinCode, entry.deprecatedBuiltinCode = code, min(code, OLD_OPERATORS)
            entry.version = 1
            self.codes.append(entry)
            codes.append(code)
        return codes.index(code)

    def _only_before(self, operator: Any, earlier: List[Any]) -> Optional[Any]:
        """The operator before this one, if it has no other reader and can fuse an activation."""
        (number,) = operator.inputs
        readers = [other for other in self.operators if number in other.inputs]
        sources = [other for other in earlier if number in other.outputs]
        if len(readers) != 1 or not sources:
            return None
        activation = getattr(sources[0].builtinOptions, "fusedActivationFunction", None)
        return sources[0] if activation == NO_ACTIVATION else None


def _named(name: str, tensor: int) -> Any:
    entry = schema.TensorMapT()
    entry.name, entry.tensorIndex = name, tensor
    return entry
