"""Permuting weights for frameworks that compute on (n, height, width, channels), and back.

A dense layer is a convolution whose kernel covers its whole input, so one permutation serves both:
(out, in, height, width) becomes (height, width, in, out). For a dense layer the result is a matrix
(in, out) with rows in the order of the channels-last flattened image.
"""

from typing import Dict, Optional

import numpy

from worker.arrays import Shape, Weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.layer import PRODUCT_ROLES


def from_neutral(network: Network, weights: Weights) -> Dict[str, numpy.ndarray]:
    """Permute the kernels among {name: array}; each comes back contiguous in memory."""
    windows = _windows(network)
    return {name: _permute(array, windows.get(name)) for name, array in weights.items()}


def to_neutral(network: Network, arrays: Dict[str, numpy.ndarray]) -> Weights:
    """Undo from_neutral."""
    windows = _windows(network)
    return {name: _restore(array, windows.get(name)) for name, array in arrays.items()}


def shapes(network: Network) -> Dict[str, Shape]:
    """Map each weight's name to its shape after from_neutral."""
    empty = {weight.name: numpy.empty(weight.shape) for weight in network.weights}
    return {name: array.shape for name, array in from_neutral(network, empty).items()}


def _windows(network: Network) -> Dict[str, Shape]:
    """Map each kernel's name to its shape as (out, in, height, width)."""
    layers = {layer.name: layer for layer in network.layers}
    windows = {}
    for layer in network.layers:
        for weight in layer.weights:
            if weight.role in PRODUCT_ROLES:
                x = layers[layer.inputs[0]].shape
                flattens = len(weight.shape) == 2 and len(x) == 3
                window = x if flattens else weight.shape[1:]
                windows[weight.name] = weight.shape[:1] + window + (1,) * (3 - len(window))
    return windows


def _permute(array: numpy.ndarray, window: Optional[Shape]) -> numpy.ndarray:
    if window is None:
        return array
    permuted = numpy.ascontiguousarray(array.reshape(window).transpose(2, 3, 1, 0))
    return permuted.reshape(-1, len(array)) if array.ndim == 2 else permuted


def _restore(array: numpy.ndarray, window: Optional[Shape]) -> numpy.ndarray:
    if window is None:
        return array
    out, channels, height, width = window
    permuted = array.reshape(height, width, channels, out).transpose(3, 2, 0, 1)
    shape = (out, -1) if array.ndim == 2 else window
    return numpy.ascontiguousarray(permuted).reshape(shape)
