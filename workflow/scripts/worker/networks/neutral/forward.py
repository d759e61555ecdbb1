"""The forward pass of a network, for frameworks whose layers are functions of arrays."""

from typing import Any, Callable, Dict

from worker.networks.neutral.builder import Network

Kinds = Dict[str, Callable[..., Any]]
"""For each kind of layer a function of the layer, its weights by role and its inputs."""


def forward(network: Network, kinds: Kinds, images: Any, values: Dict[str, Any]) -> Any:
    """Return the output of the last layer for a batch of images.

    `values` maps the weights' names to arrays; where a function replaces its running statistics
    among its weights, they are replaced here, too.
    """
    outputs = {network.input.name: images}
    for layer in network.layers[1:]:
        inputs = [outputs[name] for name in layer.inputs]
        weights = {weight.role: values[weight.name] for weight in layer.weights}
        outputs[layer.name] = kinds[layer.kind](layer, weights, *inputs)
        values.update({weight.name: weights[weight.role] for weight in layer.weights})
    return outputs[layer.name]
