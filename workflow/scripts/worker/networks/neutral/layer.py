"""Layers of a neutral network, their weights, and the inputs of each kind of layer."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from worker.arrays import Shape
from worker.networks.neutral.initial import Initial, constant, scaled_normal

PRODUCT_ROLES = ("kernel", "recurrent")
"""The roles of matrices that a layer multiplies with its input, or with its own last output."""
TABLE_ROLES = ("class_token", "positions", "table")
TRAINABLE_ROLES = (*PRODUCT_ROLES, "bias", "scale", "shift", *TABLE_ROLES)
BATCH_NORM_ROLES = ("scale", "shift", "running_mean", "running_variance")

# The ranks that a kind's first input may have: 1 for a vector, 2 for tokens, 3 for images. A kind
# that isn't listed reads images.
RANKS = {
    **dict.fromkeys(("dense", "relu", "relu6", "silu", "sigmoid", "tanh"), (1, 2, 3)),
    **dict.fromkeys(("gelu", "dropout"), (1, 2, 3)),
    **dict.fromkeys(("layer_norm", "attention", "positions", "lstm"), (2,)),
    **dict.fromkeys(("first_token", "last_token", "unembedding"), (2,)),
    "add": (1, 2, 3),
    "concat": (1, 3),
}
VECTOR_KINDS = (
    "global_average_pool",
    "first_token",
    "last_token",
    *(kind for kind, ranks in RANKS.items() if 1 in ranks),
)
"""The kinds whose output may be a vector, so that they may be a network's last layer."""


class Weight(NamedTuple):
    """A tensor of a layer.

    role: one of TRAINABLE_ROLES, running_mean or running_variance; usual: trainmark's initial
    values; declared: the initial values that the network declares, if any.
    """

    name: str
    shape: Shape
    role: str
    usual: Initial
    declared: Optional[Initial] = None


Starts = Tuple[Initial, Initial]
"""The initial values that a network declares for the kernel and the bias of a layer."""


def affine(name: str, shape: Shape, gain: float, declared: Optional[Starts] = None) -> List[Weight]:
    """The kernel of shape (out, ...) and the bias (out,) of the layer `name`."""
    declared_kernel, declared_bias = declared or (None, None)
    return [
        Weight(name + "/weight", shape, "kernel", scaled_normal(gain), declared_kernel),
        Weight(name + "/bias", shape[:1], "bias", constant(0), declared_bias),
    ]


class Layer(NamedTuple):
    """A layer.

    kind: the name of the Network's method that adds it, or "input"; inputs: the names of the layers
    whose outputs it reads; settings: the method's arguments; shape: the output's, without batch.
    """

    name: str
    kind: str
    inputs: Tuple[str, ...]
    settings: Dict[str, Any]
    shape: Shape
    weights: Tuple[Weight, ...]
