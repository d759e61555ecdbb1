"""The multiply-adds of a network for one image, counted from its layers.

An output value counts one for each weight of its kernel, also where that meets padding. Biases,
normalisation, activations, poolings and sums aren't counted. torchvision counts its models in the
same way (`_ops` of their weights, in 10^9).
"""

from typing import Dict, Set

from worker.networks.neutral.builder import TRAINABLE_ROLES, Layer, Network
from worker.networks.neutral.layer import PRODUCT_ROLES
from worker.networks.neutral.shapes import size_of


def forward(network: Network) -> int:
    """The multiply-adds of a prediction."""
    return sum(of_layer(layer) for layer in network.layers)


def forward_and_backward(network: Network) -> int:
    """The multiply-adds of the loss and of its gradients by all weights.

    A layer repeats its forward ones for the gradient of its kernel, and again for that of its
    input, unless no layer before it is trained, as before the first layer.
    """
    trained: Set[str] = set()
    total = 0
    for layer in network.layers:
        has_trained_input = not trained.isdisjoint(layer.inputs)
        total += of_layer(layer) * (3 if has_trained_input else 2)
        if has_trained_input or any(weight.role in TRAINABLE_ROLES for weight in layer.weights):
            trained.add(layer.name)
    return total


def depth(network: Network) -> int:
    """The most layers with multiply-adds on a path from the input to the logits: 16 in VGG-16."""
    depths: Dict[str, int] = {}
    for layer in network.layers:
        before = max((depths[name] for name in layer.inputs), default=0)
        depths[layer.name] = before + (of_layer(layer) > 0)
    return depths[network.layers[-1].name]


def of_layer(layer: Layer) -> int:
    """The multiply-adds of a layer's forward pass: of its kernels, or of attention's products.

    Of causal attention, only pairs of tokens that the mask leaves count.
    """
    if layer.kind == "attention":
        tokens, features = layer.shape
        attended = (tokens + 1) / 2 if layer.settings["causal"] else tokens
        return int(2 * tokens * attended * features)
    is_product = layer.kind == "unembedding"
    kernels = [w.shape for w in layer.weights if is_product or w.role in PRODUCT_ROLES]
    return sum(size_of(shape) * _positions(layer) for shape in kernels)


def _positions(layer: Layer) -> int:
    if layer.kind == "patch_tokens":
        return layer.shape[0] - 1  # the class token comes from no patch
    return layer.shape[0] if len(layer.shape) == 2 else size_of(layer.shape[1:])
