"""A network and its weights as a graph model, which TensorFlow.js reads."""

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
    """The files of float32 images (n, H, W, C), normalised, to logits (n, classes), in a form.

    The network has no dropout; batch norms become part of the convolutions before them. Raises
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
        values, told = stored(array, form)
        content += values.tobytes()
        entry = {"name": name, "shape": list(array.shape), "dtype": str(array.dtype)}
        manifest.append({**entry, **told})
    return {MODEL: graph.topology(logits, manifest), WEIGHTS: content}
