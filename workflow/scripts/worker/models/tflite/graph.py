"""A TensorFlow Lite model in the making, by the schema of its flatbuffers, which LiteRT brings.

What each operator does: https://ai.google.dev/edge/litert/models/ops_compatibility, and
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
VERSION = 3  # of the schema
OLD_OPERATORS = 127  # those after it have their number in a second field alone
IMAGES, LOGITS, SIGNATURE = "images", "logits", "serving_default"


class Tensor(NamedTuple):
    """A tensor of the model: its number, and its shape, the images of a batch included."""

    number: int
    shape: Tuple[int, ...]


class Option(NamedTuple):
    """What an operator is told beside its inputs, and the number of the kind of that."""

    value: Any
    kind: int


NOTHING = Tensor(-1, ())
"""In place of an input that an operator may have and doesn't."""


def option(kind: str, **values: Any) -> Option:
    """What an operator is told, by the name of its kind in the schema."""
    made = getattr(schema, kind + "T")()
    for name, value in values.items():
        setattr(made, name, value)
    return Option(made, getattr(schema.BuiltinOptions, kind))


class Graph:
    """Operators in the order in which they are computed, and their tensors."""

    def __init__(self) -> None:
        self.buffers = [schema.BufferT()]  # the first one is empty by the schema
        self.tensors: List[Any] = []
        self.codes: List[Any] = []
        self.operators: List[Any] = []

    def tensor(self, shape: Sequence[int], dtype: str = "float32") -> Tensor:
        """Add a tensor that is computed, or goes in."""
        return self._tensor(shape, dtype, schema.BufferT())

    def state(self, shape: Sequence[int]) -> Tensor:
        """Add a tensor of float32 that an operator keeps from one call to the next, from 0."""
        made = self.tensor(shape)
        self.tensors[made.number].isVariable = True
        return made

    def constant(self, values: Any) -> Tensor:
        """Add a tensor that stands in the file: float32 or int32."""
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
        told: Optional[Option] = None,
        dtype: str = "float32",
    ) -> Tensor:
        """Add an operator; returns the tensor that it gives, of this shape."""
        given = self.tensor(shape, dtype)
        made = schema.OperatorT()
        made.opcodeIndex = self._code(code)
        made.inputs, made.outputs = [tensor.number for tensor in inputs], [given.number]
        if told:
            made.builtinOptions, made.builtinOptionsType = told
        self.operators.append(made)
        return given

    def fuse_activations(self) -> None:
        """Have operators do the ReLU that alone reads them, as TensorFlow's converter does."""
        kept: List[Any] = []
        for operator in self.operators:
            activation = ACTIVATIONS.get(self.codes[operator.opcodeIndex].builtinCode)
            before = None if activation is None else self._only_before(operator, kept)
            if before is None:
                kept.append(operator)
            else:
                before.builtinOptions.fusedActivationFunction = activation
                before.outputs = operator.outputs
        self.operators = kept

    def content(self, images: Tensor, logits: Tensor) -> bytes:
        """The file, of what goes in and comes out, also by the signature that quantisers want."""
        place = self._drop_unused()
        goes_in, comes_out = place[images.number], place[logits.number]
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators = b"network", self.tensors, self.operators
        graph.inputs, graph.outputs = [goes_in], [comes_out]
        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = SIGNATURE, 0
        signature.inputs, signature.outputs = [_named(IMAGES, goes_in)], [_named(LOGITS, comes_out)]
        model = schema.ModelT()
        model.version, model.description = VERSION, "trainmark"
        model.operatorCodes, model.buffers = self.codes, self.buffers
        model.subgraphs, model.signatureDefs = [graph], [signature]
        builder = flatbuffers.Builder(0)
        builder.Finish(model.Pack(builder), file_identifier=IDENTIFIER)
        return bytes(builder.Output())

    def _drop_unused(self) -> Dict[int, int]:
        """Drop tensors that no operator has any more; returns the new numbers of the others."""
        ends = [number for made in self.operators for number in (*made.inputs, *made.outputs)]
        used = sorted({*ends} - {NOTHING.number})
        place = {number: index for index, number in enumerate(used)}
        place[NOTHING.number] = NOTHING.number
        for made in self.operators:
            made.inputs = [place[number] for number in made.inputs]
            made.outputs = [place[number] for number in made.outputs]
        self.tensors = [self.tensors[number] for number in used]
        return place

    def _tensor(self, shape: Sequence[int], dtype: str, buffer: Any) -> Tensor:
        made = schema.TensorT()
        made.shape, made.type = [int(size) for size in shape], TYPES[dtype]
        made.name, made.buffer = f"tensor_{len(self.tensors)}", len(self.buffers)
        self.buffers.append(buffer)  # of a computed tensor an empty one of its own
        self.tensors.append(made)
        return Tensor(len(self.tensors) - 1, tuple(made.shape))

    def _code(self, code: int) -> int:
        """The place of an operator's kind among those that the model has."""
        known = [made.builtinCode for made in self.codes]
        if code not in known:
            made = schema.OperatorCodeT()
            made.builtinCode, made.deprecatedBuiltinCode = code, min(code, OLD_OPERATORS)
            made.version = 1
            self.codes.append(made)
            known.append(code)
        return known.index(code)

    def _only_before(self, operator: Any, kept: List[Any]) -> Optional[Any]:
        """What computes an operator's input, where nothing else reads that and it can activate."""
        (taken,) = operator.inputs
        readers = [other for other in self.operators if taken in other.inputs]
        found = [other for other in kept if taken in other.outputs]
        if len(readers) != 1 or not found:
            return None
        own = getattr(found[0].builtinOptions, "fusedActivationFunction", None)
        return found[0] if own == NO_ACTIVATION else None


def _named(name: str, tensor: int) -> Any:
    made = schema.TensorMapT()
    made.name, made.tensorIndex = name, tensor
    return made
