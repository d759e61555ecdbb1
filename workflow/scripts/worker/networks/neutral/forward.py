"""The forward pass of a network, for frameworks whose layers are functions of arrays."""

from typing import Any, Callable, Dict

from worker.events import Unsupported
from worker.networks.neutral.builder import Layer, Network
from worker.precisions import CAST_ROLES

Kinds = Dict[str, Callable[..., Any]]
"""The function of each kind of layer; it takes the layer, its weights by role and its inputs."""


def forward(network: Network, kinds: Kinds, images: Any, values: Dict[str, Any]) -> Any:
    """Return the output of the last layer for a batch of images.

    values: arrays by weights' names. If a layer's function replaces running statistics, `values`
    gets the new ones.
    """
    outputs = {network.input.name: images}
    for layer in network.layers[1:]:
        inputs = [outputs[name] for name in layer.inputs]
        weights = {weight.role: values[weight.name] for weight in layer.weights}
        outputs[layer.name] = of_kind(kinds, layer)(layer, weights, *inputs)
        values.update({weight.name: weights[weight.role] for weight in layer.weights})
    return outputs[layer.name]


def of_kind(kinds: Kinds, layer: Layer) -> Callable[..., Any]:
    """The function for a layer's kind; raises events.Unsupported if the framework has none."""
    if layer.kind not in kinds:
        raise Unsupported(
            f"no layer kind {layer.kind}, as layer {layer.name} is; there are "
            + ", ".join(sorted(kinds))
        )
    return kinds[layer.kind]


def lacking(reason: str) -> Callable[..., Any]:
    """A function that raises events.Unsupported, for a kind of layer that a framework lacks."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise Unsupported(reason)

    return refuse


def narrow(kinds: Kinds, cast: Callable[[Any], Any]) -> Kinds:
    """The kinds with inputs, kernels and biases cast to a narrow type by `cast`.

    Normalisation gets a narrow input and its weights unchanged, and may replace its running
    statistics. The numbers that an embedding reads stay as they are: a narrow type lacks some.
    """

    def cast_first(function: Callable[..., Any]) -> Callable[..., Any]:
        def computed(layer: Layer, weights: Dict[str, Any], *inputs: Any) -> Any:
            narrowed = {role: cast(weights[role]) for role in CAST_ROLES if role in weights}
            mixed = dict(weights, **narrowed) if narrowed else weights
            reads_numbers = layer.kind == "embedding"
            return function(layer, mixed, *(inputs if reads_numbers else map(cast, inputs)))

        return computed

    return {kind: cast_first(function) for kind, function in kinds.items()}
