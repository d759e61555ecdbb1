"""Arithmetic of a configuration's network: its operations, and the bytes that they move."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from trainmark.study.stages import ATTACK, GENERATION
from worker import networks
from worker.networks.neutral import operations
from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.shapes import size_of

PREDICTION = "infer"


def multiply_adds(settings: Mapping[str, Any]) -> int:
    """The multiply-adds for one image in a configuration's stage, without those of an update.

    An attack needs no gradients by weights, but those by all layers' inputs, including the image. A
    generation needs those of one pass over whole texts, shared among the tokens that it generates.
    """
    network, stage = _network(settings), settings["stage"]
    if stage == PREDICTION:
        return operations.forward(network)
    if stage == GENERATION:
        return operations.forward(network) // int(settings["steps"])
    if stage == ATTACK:
        return 2 * operations.forward(network)
    return operations.forward_and_backward(network)


def depth(settings: Mapping[str, Any]) -> int:
    """The layers with multiply-adds on the longest path through a configuration's network."""
    return operations.depth(_network(settings))


def intensity(settings: Mapping[str, Any]) -> float:
    """Operations of a forward pass per byte, if each value is moved as few times as possible.

    In float32, each layer reads its inputs and its weights once and writes its output once. A
    framework that fuses layers moves less, and one that unfolds windows moves more.
    """
    network, batch_size = _network(settings), settings["batch_size"]
    values = sum(size_of(layer.shape) for layer in network.layers)
    weights = sum(size_of(weight.shape) for weight in network.weights)
    moved = 4 * (2 * batch_size * values + weights)
    return float(2 * batch_size * operations.forward(network) / moved)


def least_share(settings: Mapping[str, Any]) -> float:
    """The share of the multiplications that a forward pass needs at least, above 0 and up to 1.

    Winograd's algorithm F(4x4, k x k) needs (k + 3)^2 multiplications for 16 outputs of a
    convolution with stride 1, instead of 16 k^2 (Lavin & Gray 2016, Fast Algorithms for
    Convolutional Neural Networks). All other layers need as many as they have multiply-adds.
    """
    network = _network(settings)
    least = sum(operations.of_layer(layer) * _least_share(layer) for layer in network.layers)
    return least / operations.forward(network)


def _least_share(layer: Layer) -> float:
    kernel = layer.settings.get("kernel", 1)
    if layer.kind != "conv" or layer.settings["stride"] > 1 or kernel == 1:
        return 1.0
    return float((kernel + 3) ** 2 / (16 * kernel**2))


def _network(settings: Mapping[str, Any]) -> Network:
    return built_network(settings["network"], tuple(settings["image_shape"]), settings["classes"])


@cache
def built_network(name: str, image_shape: tuple[int, ...], classes: int) -> Network:
    """The network for images of a shape; raises WrongShape where it can't be built."""
    return networks.build(name, image_shape, classes)
