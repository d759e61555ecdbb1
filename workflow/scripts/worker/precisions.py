"""What a precision asks of a framework, the same in each: see docs/method/precision.md.

In `bfloat16` and `float16` each layer takes its kernel and its bias, and takes and gives its
values, in that type; training keeps the weights, their gradients and the update in float32. In
`tf32` all is float32, and products round what they take.

Runtimes have forms of a model: in `float16` its weights are stored in that type, in `int8-weights`
in 8 bits, of which float32 is made again before anything is computed. In `int8-dynamic` and
`int8-static` weights and what they are multiplied by have 8 bits, the latter scaled anew in each
call, or by the ranges that training images cause.
"""

WEIGHTS_ALONE = "int8-weights"
"""The form of 8 bits that computes in float32."""

QUANTISED = (WEIGHTS_ALONE, "int8-dynamic", "int8-static")
"""The forms of 8 bits."""

HALF = ("bfloat16", "float16")
"""The types of 16 bits."""

CAST_ROLES = ("kernel", "recurrent", "bias", "class_token", "positions", "table")
"""The weights that a layer takes in its type; normalisation keeps its own in float32, but PyTorch's
layer normalisation in prediction, which takes all in one type."""

NO_TF32 = "NVIDIA_TF32_OVERRIDE"
"""The environment variable that is 0 in each run but those in tf32: it keeps old libraries from
rounding float32 by default."""

LOSS_SCALES = {"float16": 128.0}
"""What gradients are multiplied by while they are narrow: else float16 rounds small ones to 0."""

IN_INFERENCE = ("cast", "autocast")
"""Values of the option inference_weights: cast once, or in each call from float32."""


def loss_scale(precision: str) -> float:
    """The factor of the loss whose gradients are computed."""
    return LOSS_SCALES.get(precision, 1.0)
