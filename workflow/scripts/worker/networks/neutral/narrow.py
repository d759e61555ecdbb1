"""Layers that compute in a narrow type, for frameworks whose layers are functions of arrays."""

from typing import Any, Callable, Dict

from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds
from worker.precisions import CAST_ROLES


def narrow(kinds: Kinds, cast: Callable[[Any], Any]) -> Kinds:
    """The same kinds, whose inputs, kernels and biases are cast; `cast` leaves what is narrow.

    Normalisation gets its own weights as they are, beside a narrow input, and may replace its
    running statistics.
    """

    def cast_first(function: Callable[..., Any]) -> Callable[..., Any]:
        def computed(layer: Layer, weights: Dict[str, Any], *inputs: Any) -> Any:
            products = {role: cast(weights[role]) for role in CAST_ROLES if role in weights}
            own = dict(weights, **products) if products else weights
            return function(layer, own, *map(cast, inputs))

        return computed

    return {kind: cast_first(function) for kind, function in kinds.items()}
