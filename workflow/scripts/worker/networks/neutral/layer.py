"""What a neutral network is made of: layers and their weights, and what kinds of layers take."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from worker.arrays import Shape
from worker.networks.neutral.initial import Initial, constant, scaled_normal

PRODUCT_ROLES = ("kernel", "recurrent")
"""Of the weights that a layer multiplies by as a matrix: of its input, of its own last output."""
TABLE_ROLES = ("class_token", "positions", "table")
TRAINABLE_ROLES = (*PRODUCT_ROLES, "bias", "scale", "shift", *TABLE_ROLES)
BATCH_NORM_ROLES = ("scale", "shift", "running_mean", "running_variance")

# What a kind's first input may be, by the length of its shape: a vector, tokens, or images, which
# is all that a kind takes that isn't here.
RANKS = {
    **dict.fromkeys(("dense", "relu", "relu6", "silu", "sigmoid", "tanh"), (1, 2, 3)),
    **dict.fromkeys(("gelu", "dropout"), (1, 2, 3)),
    **dict.fromkeys(("layer_norm", "attention", "positions", "lstm"), (2,)),
    **dict.fromkeys(("first_token", "last_token"), (2,)),
    "add": (1, 2, 3),
    "concat": (1, 3),
}
VECTOR_KINDS = (
    "global_average_pool",
    "first_token",
    "last_token",
    *(kind for kind, ranks in RANKS.items() if 1 in ranks),
)
"""The kinds that give vectors, so may be the last."""


class Weight(NamedTuple):
    """A tensor of a layer.

    role: one of TRAINABLE_ROLES, running_mean or running_variance; usual: what trainmark lets it
    start from; declared: what its network does, where it does.
    """

    name: str
    shape: Shape
    role: str
    usual: Initial
    declared: Optional[Initial] = None


Starts = Tuple[Initial, Initial]
"""What a network declares that the kernel and the bias of a layer start from."""


def affine(name: str, shape: Shape, gain: float, declared: Optional[Starts] = None) -> List[Weight]:
    """The kernel, of that shape (out, ...), and the bias of the layer of that name."""
    of_kernel, of_bias = declared or (None, None)
    return [
        Weight(name + "/weight", shape, "kernel", scaled_normal(gain), of_kernel),
        Weight(name + "/bias", shape[:1], "bias", constant(0), of_bias),
    ]


class Layer(NamedTuple):
    """A layer, the names of those whose outputs it takes, and the shape of its own output.

    kind: the name of the Network's method that adds it, or "input"; settings: that one's arguments.
    """

    name: str
    kind: str
    inputs: Tuple[str, ...]
    settings: Dict[str, Any]
    shape: Shape
    weights: Tuple[Weight, ...]
