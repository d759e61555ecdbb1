"""An ONNX graph under construction. Operators: https://onnx.ai/onnx/operators/."""

from typing import Any, Dict, List, NamedTuple, Union

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from worker.networks.neutral.builder import Network

OPSET = 17  # the first with layer normalisation, and old enough for every runtime
IR_VERSION = 8  # the file format's version when OPSET was published
IMAGES, LOGITS = "images", "logits"


class Constant(NamedTuple):
    """A tensor of the file: a weight, or numbers that an operator reads."""

    name: str
    array: numpy.ndarray


Value = Union[str, Constant]
"""An operator's input: the name of an output, or a constant."""


class Graph:
    """Operators in the order in which they are computed, and their constants."""

    def __init__(self) -> None:
        self.nodes: List[onnx.NodeProto] = []
        self.constants: Dict[str, numpy.ndarray] = {}

    def node(self, operator: str, *inputs: Value, **attributes: Any) -> str:
        """Add an operator; returns the name of its output."""
        return self.nodes_of(operator, 1, *inputs, **attributes)[0]

    def nodes_of(self, operator: str, outputs: int, *inputs: Value, **attributes: Any) -> List[str]:
        """Add an operator with several outputs; returns the names of the outputs."""
        input_names = [self._input(value) for value in inputs]
        names = [f"{operator}_{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operator, input_names, names, names[0], **attributes))
        return names

    def constant(self, values: Any, dtype: Any = numpy.int64) -> str:
        """Add a constant that isn't a weight; returns its name."""
        name = f"constant_{len(self.constants)}"
        return self._input(Constant(name, numpy.asarray(values, dtype)))

    def content(self, network: Network, logits: str) -> bytes:
        """The file of the model, from IMAGES (n, C, H, W) to LOGITS (n, classes).

        logits: the name of the output that becomes LOGITS.
        """
        self.nodes.append(helper.make_node("Identity", [logits], [LOGITS], LOGITS))
        images = _floats(IMAGES, network.input.shape)
        constants = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        output = _floats(LOGITS, (network.classes,))
        graph = helper.make_graph(self.nodes, "network", [images], [output], constants)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="trainmark",
        )
        onnx.checker.check_model(model, full_check=True)
        content: bytes = model.SerializeToString()
        return content

    def _input(self, value: Value) -> str:
        """The name of an operator's input; a constant is added to the file."""
        if isinstance(value, str):
            return value
        self.constants[value.name] = numpy.asarray(value.array, order="C")
        return value.name


def _floats(name: str, shape: Any) -> onnx.ValueInfoProto:
    """The model's input or output `name`: float32, for any number of images."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", *shape])
