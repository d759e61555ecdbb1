"""What a precision asks of a framework, the same in each: see docs/method.md, Precisions.

In `bfloat16` and `float16` each layer takes its kernel and its bias, and takes and gives its
values, in that type; training keeps the weights, their gradients and the update in float32. In
`tf32` all is float32, and products round what they take.
"""

HALF = ("bfloat16", "float16")
"""The types of 16 bits."""

CAST_ROLES = ("kernel", "recurrent", "bias", "class_token", "positions", "table")
"""The weights that a layer takes in its type; normalisation keeps its own in float32."""

LOSS_SCALES = {"float16": 128.0}
"""What gradients are multiplied by while they are narrow: else float16 rounds small ones to 0."""

IN_INFERENCE = ("cast", "autocast")
"""Values of the option inference_weights: cast once, or in each call from float32."""


def loss_scale(precision: str) -> float:
    """The factor of the loss whose gradients are computed."""
    return LOSS_SCALES.get(precision, 1.0)
