"""A graph model of TensorFlow.js in the making: nodes of a GraphDef in JSON, and their constants.

What each operator takes: tfjs-converter/src/operations/op_list of TensorFlow.js; how a model is
stored: the interfaces ModelArtifacts and WeightsManifestEntry of tfjs-core/src/io/types.ts.
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
    """A type, as a GraphDef calls it."""

    float32 = "DT_FLOAT"
    int32 = "DT_INT32"


class Tensor(NamedTuple):
    """What an operator gives: its name, and its shape without the images of a batch."""

    name: str
    shape: Tuple[int, ...]


class Graph:
    """Operators in the order in which they are computed, and the constants that they take."""

    def __init__(self) -> None:
        self.nodes: List[Dict[str, Any]] = []
        self.constants: Dict[str, numpy.ndarray] = {}

    def images(self, shape: Sequence[int]) -> Tensor:
        """Add what goes in: float32 images (height, width, channels), any number of them."""
        sizes = [{"size": str(size)} for size in (-1, *shape)]
        told = {**attributes(dtype=Type.float32), "shape": {"shape": {"dim": sizes}}}
        self.nodes.append({"name": IMAGES, "op": "Placeholder", "input": [], "attr": told})
        return Tensor(IMAGES, tuple(shape))

    def constant(self, values: Any) -> Tensor:
        """Add a tensor that stands in the file: float32 or int32."""
        array = numpy.asarray(values, order="C")
        made = Tensor(f"constant_{len(self.constants)}", array.shape)
        self.constants[made.name] = array
        told = attributes(dtype=Type[str(array.dtype)])
        self.nodes.append({"name": made.name, "op": "Const", "input": [], "attr": told})
        return made

    def numbers(self, *values: int) -> Tensor:
        """Add a constant vector of int32."""
        return self.constant(numpy.array(values, numpy.int32))

    def number(self, value: int) -> Tensor:
        """Add a constant of int32."""
        return self.constant(numpy.int32(value))

    def operator(
        self, name: str, inputs: Sequence[Tensor], shape: Sequence[int], **told: Any
    ) -> Tensor:
        """Add an operator; returns the tensor that it gives, of this shape."""
        made = Tensor(f"{name}_{len(self.nodes)}", tuple(shape))
        taken = [tensor.name for tensor in inputs]
        node = {"name": made.name, "op": name, "input": taken, "attr": attributes(**told)}
        self.nodes.append(node)
        return made

    def fuse_activations(self) -> None:
        """Have products do the ReLU that alone reads them, as TensorFlow's own optimiser does."""
        taken = [name for node in self.nodes for name in node["input"]]
        makers = {node["name"]: node for node in self.nodes}
        kept = []
        for node in self.nodes:
            before = makers.get(node["input"][0]) if node["op"] in ACTIVATIONS else None
            if before and before["op"] in FUSED and taken.count(before["name"]) == 1:
                before["attr"].update(attributes(fused_ops=["BiasAdd", node["op"]]))
                before["name"] = node["name"]
            else:
                kept.append(node)
        self.nodes = kept

    def topology(self, logits: Tensor, manifest: Sequence[Dict[str, Any]]) -> bytes:
        """The content of model.json, with constants that are stored as the manifest says."""
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
    """What an operator is told, as JSON has the values of a GraphDef."""
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
