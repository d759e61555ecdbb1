"""A network and its weights as an ONNX model, which any runtime of ONNX reads."""

from worker.arrays import Weights
from worker.models.onnx.graph import IMAGES, Constant, Graph
from worker.models.onnx.layers import kinds
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.networks.neutral.forward import forward


def model(network: Network, weights: Weights) -> bytes:
    """The content of the file: float32 images (n, C, H, W), normalised, to logits (n, classes).

    The network has no dropout; batch norms become part of the convolutions before them. Raises
    events.Unsupported for a kind of layer that has no operator.
    """
    network, weights = folded(network, weights)
    graph = Graph()
    values = {name: Constant(name, array) for name, array in weights.items()}
    return graph.content(network, forward(network, kinds(graph), IMAGES, values))
