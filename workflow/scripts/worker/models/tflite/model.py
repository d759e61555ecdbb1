"""A network and its weights as a TensorFlow Lite model, which LiteRT reads, on phones too."""

from functools import partial

from worker.arrays import Weights
from worker.models.tflite.graph import Graph
from worker.models.tflite.layers import OF_IMAGES
from worker.models.tflite.tokens import OF_TOKENS
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.networks.neutral.forward import Kinds, forward


def model(network: Network, weights: Weights, batch_size: int) -> bytes:
    """The content of the file.

    Input: float32 images (batch_size, H, W, C), normalised; output: logits (batch_size, classes).
    The network has no dropout; batch norms are folded into the convolutions before them. Raises
    events.Unsupported for a kind of layer that has no operator.
    """
    network, weights = folded(network, weights)
    channels, *sizes = network.input.shape
    graph = Graph()
    added = {**OF_IMAGES, **OF_TOKENS}
    kinds: Kinds = {kind: partial(add, graph) for kind, add in added.items()}
    images = graph.tensor((batch_size, *sizes, channels))
    logits = forward(network, kinds, images, dict(weights))
    graph.fuse_activations()
    return graph.content(images, logits)
