"""An ONNX graph in the making. What each operator does: https://onnx.ai/onnx/operators/."""

from typing import Any, Dict, List, NamedTuple, Union

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from worker.networks.neutral.builder import Network

OPSET = 17  # the first with layer normalisation, and old enough for every runtime
IR_VERSION = 8  # of its time
IMAGES, LOGITS = "images", "logits"


class Constant(NamedTuple):
    """A tensor that stands in the file: a weight, or a number that an operator wants."""

    name: str
    array: numpy.ndarray


Value = Union[str, Constant]
"""What an operator takes: the name of an output, or a constant."""


class Graph:
    """Operators in the order in which they are computed, and the constants that they take."""

    def __init__(self) -> None:
        self.nodes: List[onnx.NodeProto] = []
        self.constants: Dict[str, numpy.ndarray] = {}

    def node(self, operator: str, *inputs: Value, **attributes: Any) -> str:
        """Add an operator; returns the name of its output."""
        return self.nodes_of(operator, 1, *inputs, **attributes)[0]

    def nodes_of(self, operator: str, outputs: int, *inputs: Value, **attributes: Any) -> List[str]:
        """Add an operator of several outputs; returns their names."""
        names = [self._taken(value) for value in inputs]
        made = [f"{operator}_{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operator, names, made, made[0], **attributes))
        return made

    def constant(self, values: Any, dtype: Any = numpy.int64) -> str:
        """Add a constant that is no weight; returns its name."""
        name = f"constant_{len(self.constants)}"
        return self._taken(Constant(name, numpy.asarray(values, dtype)))

    def content(self, network: Network, logits: str) -> bytes:
        """The file: images (n, C, H, W) to the output of that name, called LOGITS there."""
        self.nodes.append(helper.make_node("Identity", [logits], [LOGITS], LOGITS))
        images = _floats(IMAGES, network.input.shape)
        held = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        out = _floats(LOGITS, (network.classes,))
        graph = helper.make_graph(self.nodes, "network", [images], [out], held)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="trainmark",
        )
        onnx.checker.check_model(model, full_check=True)
        content: bytes = model.SerializeToString()
        return content

    def _taken(self, value: Value) -> str:
        if isinstance(value, str):
            return value
        self.constants[value.name] = numpy.asarray(value.array, order="C")
        return value.name


def _floats(name: str, shape: Any) -> onnx.ValueInfoProto:
    """What goes in or out, of any number of images."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", *shape])
