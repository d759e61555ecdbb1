"""A network and its weights as an ONNX model."""

from worker.arrays import Weights
from worker.models.onnx.graph import IMAGES, Constant, Graph
from worker.models.onnx.layers import kinds
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.networks.neutral.forward import forward


def model(network: Network, weights: Weights) -> bytes:
    """The content of the file. Input: float32 images (n, C, H, W), normalised; output: logits.

    The network has no dropout; batch norms are folded into the convolutions before them. Raises
    events.Unsupported for a kind of layer that has no operator.
    """
    network, weights = folded(network, weights)
    graph = Graph()
    values = {name: Constant(name, array) for name, array in weights.items()}
    return graph.content(network, forward(network, kinds(graph), IMAGES, values))
