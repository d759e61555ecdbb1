"""A TensorFlow.js graph model under construction: nodes of a GraphDef in JSON, and their constants.

Operators: tfjs-converter/src/operations/op_list of TensorFlow.js. Files: the interfaces
ModelArtifacts and WeightsManifestEntry of tfjs-core/src/io/types.ts.
"""

import base64
import json
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy

ACTIVATIONS = ("Relu", "Relu6")
FUSED = ("_FusedConv2D", "FusedDepthwiseConv2dNative", "_FusedMatMul")
IMAGES, LOGITS = "images", "logits"
WEIGHTS = "weights.bin"


class Type(Enum):
    """A type by its name in a GraphDef."""

    float32 = "DT_FLOAT"
    int32 = "DT_INT32"


class Tensor(NamedTuple):
    """An operator's output: its name, and its shape without the images of a batch."""

    name: str
    shape: Tuple[int, ...]


class Graph:
    """Operators in the order in which they are computed, and their constants."""

    def __init__(self) -> None:
        self.nodes: List[Dict[str, Any]] = []
        self.constants: Dict[str, numpy.ndarray] = {}

    def images(self, shape: Sequence[int]) -> Tensor:
        """Add the input: any number of float32 images (height, width, channels)."""
        sizes = [{"size": str(size)} for size in (-1, *shape)]
        settings = {**attributes(dtype=Type.float32), "shape": {"shape": {"dim": sizes}}}
        self.nodes.append({"name": IMAGES, "op": "Placeholder", "input": [], "attr": settings})
        return Tensor(IMAGES, tuple(shape))

    def constant(self, values: Any) -> Tensor:
        """Add a tensor of the file: float32 or int32."""
        array = numpy.asarray(values, order="C")
        tensor = Tensor(f"constant_{len(self.constants)}", array.shape)
        self.constants[tensor.name] = array
        settings = attributes(dtype=Type[str(array.dtype)])
        self.nodes.append({"name": tensor.name, "op": "Const", "input": [], "attr": settings})
        return tensor

    def numbers(self, *values: int) -> Tensor:
        """Add a constant vector of int32."""
        return self.constant(numpy.array(values, numpy.int32))

    def number(self, value: int) -> Tensor:
        """Add a constant of int32."""
        return self.constant(numpy.int32(value))

    def operator(
        self, name: str, inputs: Sequence[Tensor], shape: Sequence[int], **settings: Any
    ) -> Tensor:
        """Add an operator; returns its output, which has this shape."""
        output = Tensor(f"{name}_{len(self.nodes)}", tuple(shape))
        names = [tensor.name for tensor in inputs]
        node = {"name": output.name, "op": name, "input": names, "attr": attributes(**settings)}
        self.nodes.append(node)
        return output

    def fuse_activations(self) -> None:
        """Fuse each ReLU into the product that it alone reads, as TensorFlow's optimiser does."""
        read_names = [name for node in self.nodes for name in node["input"]]
        nodes_by_name = {node["name"]: node for node in self.nodes}
        remaining = []
        for node in self.nodes:
            before = nodes_by_name.get(node["input"][0]) if node["op"] in ACTIVATIONS else None
            if before and before["op"] in FUSED and read_names.count(before["name"]) == 1:
                before["attr"].update(attributes(fused_ops=["BiasAdd", node["op"]]))
                before["name"] = node["name"]
            else:
                remaining.append(node)
        self.nodes = remaining

    def topology(self, logits: Tensor, manifest: Sequence[Dict[str, Any]]) -> bytes:
        """The content of model.json; the manifest describes the stored constants."""
        content = {
            "format": "graph-model",
            "generatedBy": "trainmark",
            "modelTopology": {"node": self.nodes, "versions": {"producer": 0}},
            "signature": {
                "inputs": {IMAGES: {"name": IMAGES + ":0"}},
                "outputs": {LOGITS: {"name": logits.name + ":0"}},
            },
            "weightsManifest": [{"paths": [WEIGHTS], "weights": manifest}],
        }
        return json.dumps(content).encode()


def attributes(**values: Any) -> Dict[str, Any]:
    """An operator's attributes in the JSON of a GraphDef."""
    return {name: _attribute(value) for name, value in values.items()}


def _attribute(value: Any) -> Dict[str, Any]:
    if isinstance(value, Type):
        return {"type": value.value}
    if isinstance(value, bool):
        return {"b": value}
    if isinstance(value, float):
        return {"f": value}
    if isinstance(value, int):
        return {"i": str(value)}
    if isinstance(value, str):
        return {"s": base64.b64encode(value.encode()).decode()}
    items = [_attribute(item) for item in value]
    [kind] = {key for item in items for key in item}
    return {"list": {kind: [item[kind] for item in items]}}
