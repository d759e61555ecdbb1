"""Arithmetic of a configuration's network: its operations, and the bytes that they move."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from trainmark.study.stages import ATTACK
from worker import networks
from worker.networks.neutral import operations
from worker.networks.neutral.builder import Network
from worker.networks.neutral.shapes import size_of

PREDICTION = "infer"


def multiply_adds(settings: Mapping[str, Any]) -> int:
    """The multiply-adds for one image in a configuration's stage, without those of an update.

    An attack needs no gradients by weights, but those by all layers' inputs, including the image.
    """
    network, stage = _network(settings), settings["stage"]
    if stage == PREDICTION:
        return operations.forward(network)
    if stage == ATTACK:
        return 2 * operations.forward(network)
    return operations.forward_and_backward(network)


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


def _network(settings: Mapping[str, Any]) -> Network:
    return _built(settings["network"], tuple(settings["image_shape"]), settings["classes"])


@cache
def _built(name: str, image_shape: tuple[int, ...], classes: int) -> Network:
    return networks.build(name, image_shape, classes)
