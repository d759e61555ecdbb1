"""Folding batch normalisation into the convolution before it, for prediction with fewer layers."""

from typing import Dict, List, Tuple

import numpy

from worker.arrays import Weights
from worker.networks.neutral.builder import Layer, Network, Weight
from worker.networks.neutral.initial import constant


def folded(network: Network, values: Weights) -> Tuple[Network, Weights]:
    """The network with batch norms folded into the convolutions before them, and its weights.

    A batch norm is folded if it alone reads a convolution. Other batch norms, such as DenseNet's
    before its convolutions, stay. Predictions stay the same. Training would differ, since a batch
    norm then uses the statistics of its batch.
    """
    norms = {layer.name: layer for layer in network.layers if _is_foldable(layer, network)}
    norm_of = {layer.inputs[0]: layer for layer in norms.values()}
    layers: List[Layer] = []
    renamed: Dict[str, str] = {}
    arrays = dict(values)
    for layer in network.layers[1:]:
        if layer.name in norms:
            renamed[layer.name] = layer.inputs[0]
            continue
        inputs = tuple(renamed.get(name, name) for name in layer.inputs)
        if layer.name in norm_of:
            arrays.update(_affine(layer, norm_of[layer.name], values))
            layer = _with_bias(layer)
        layers.append(layer._replace(inputs=inputs))
    result = Network(network.input.shape, network.classes)
    result.layers.extend(layers)
    return result, {weight.name: arrays[weight.name] for weight in result.weights}


def _is_foldable(layer: Layer, network: Network) -> bool:
    if layer.kind != "batch_norm":
        return False
    readers = [name for other in network.layers for name in other.inputs]
    [source] = [other for other in network.layers if other.name == layer.inputs[0]]
    return source.kind == "conv" and readers.count(source.name) == 1


def _with_bias(conv: Layer) -> Layer:
    kernel = conv.weights[0]
    bias = Weight(conv.name + "/bias", kernel.shape[:1], "bias", constant(0))
    return conv._replace(settings=dict(conv.settings, bias=True), weights=(kernel, bias))


def _affine(conv: Layer, norm: Layer, values: Weights) -> Weights:
    """Kernel and bias of the convolution with the batch norm folded in, computed in float64."""
    by_role = {w.role: values[w.name].astype(numpy.float64) for w in (*conv.weights, *norm.weights)}
    deviation = numpy.sqrt(by_role["running_variance"] + norm.settings["epsilon"])
    factor = by_role["scale"] / deviation
    bias = (by_role.get("bias", 0.0) - by_role["running_mean"]) * factor + by_role["shift"]
    return {
        conv.name + "/weight": (by_role["kernel"] * factor[:, None, None, None]).astype(
            numpy.float32
        ),
        conv.name + "/bias": bias.astype(numpy.float32),
    }
