"""The multiply-adds of a network for one image, counted from its layers.

One for each output value and each weight of a kernel that it takes, also where that meets padding.
Biases, normalisation, activations, poolings and sums aren't counted. This is the convention of the
counts that torchvision publishes for its models (`_ops` of their weights, in 10^9).
"""

from typing import Set

from worker.networks.neutral.builder import TRAINABLE_ROLES, Layer, Network
from worker.networks.neutral.layer import PRODUCT_ROLES
from worker.networks.neutral.shapes import size_of


def forward(network: Network) -> int:
    """Those of a prediction."""
    return sum(of_layer(layer) for layer in network.layers)


def forward_and_backward(network: Network) -> int:
    """Those of all gradients by weights, and of the loss that they are of.

    A layer does its forward ones once more for the gradient of its kernel, and once more for that
    of its input: unless nothing that is trained stands before it, as before the first layer.
    """
    trained: Set[str] = set()
    total = 0
    for layer in network.layers:
        has_trained_input = not trained.isdisjoint(layer.inputs)
        total += of_layer(layer) * (3 if has_trained_input else 2)
        if has_trained_input or any(weight.role in TRAINABLE_ROLES for weight in layer.weights):
            trained.add(layer.name)
    return total


def of_layer(layer: Layer) -> int:
    """Those of a layer's forward pass: its kernel's at each place, attention's two products."""
    if layer.kind == "attention":
        tokens, features = layer.shape
        return 2 * tokens * tokens * features
    kernels = [weight.shape for weight in layer.weights if weight.role in PRODUCT_ROLES]
    return sum(size_of(shape) * _places(layer) for shape in kernels)


def _places(layer: Layer) -> int:
    if layer.kind == "patch_tokens":
        return layer.shape[0] - 1  # the class token comes from no patch
    return layer.shape[0] if len(layer.shape) == 2 else size_of(layer.shape[1:])
