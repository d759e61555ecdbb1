"""A network and its weights as a graph model of TensorFlow.js."""

from functools import partial

from worker.arrays import Weights
from worker.models.runtime import Files
from worker.models.tfjs.forms import stored
from worker.models.tfjs.graph import WEIGHTS, Graph
from worker.models.tfjs.layers import OF_IMAGES, shape_of
from worker.models.tfjs.tokens import OF_TOKENS
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.networks.neutral.forward import Kinds, forward

MODEL = "model.json"


def model(network: Network, weights: Weights, form: str) -> Files:
    """The files in a form. Input: float32 images (n, H, W, C), normalised; output: logits.

    The network has no dropout; batch norms are folded into the convolutions before them. Raises
    events.Unsupported for a kind of layer that has no operator.
    """
    network, weights = folded(network, weights)
    graph = Graph()
    added = {**OF_IMAGES, **OF_TOKENS}
    kinds: Kinds = {kind: partial(add, graph) for kind, add in added.items()}
    logits = forward(network, kinds, graph.images(shape_of(network.input)), dict(weights))
    graph.fuse_activations()
    content, manifest = b"", []
    for name, array in graph.constants.items():
        values, quantisation = stored(array, form)
        content += values.tobytes()
        entry = {"name": name, "shape": list(array.shape), "dtype": str(array.dtype)}
        manifest.append({**entry, **quantisation})
    return {MODEL: graph.topology(logits, manifest), WEIGHTS: content}
