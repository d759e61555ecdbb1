"""Precisions, which mean the same in each framework: see docs/method/precision.md.

In `bfloat16` and `float16` a layer's kernel, bias, inputs and outputs have that type; training
keeps the weights, their gradients and the update in float32. In `tf32` all is float32, and products
round their inputs.

Runtimes have forms of a model. In `float16` weights are stored in that type. In `int8-weights` they
are stored in 8 bits, and are converted to float32 before any computation. In `int8-dynamic` and
`int8-static` weights and activations are multiplied in 8 bits. `int8-dynamic` scales activations
anew in each call, `int8-static` by ranges from training images.
"""

WEIGHTS_ALONE = "int8-weights"
"""The form that stores weights in 8 bits but computes in float32."""

QUANTISED = (WEIGHTS_ALONE, "int8-dynamic", "int8-static")
"""The forms of 8 bits."""

HALF = ("bfloat16", "float16")
"""The types of 16 bits."""

PREDICTING = ("infer", "generate")
"""The stages that predict, in which weights may be cast once."""

CAST_ROLES = ("kernel", "recurrent", "bias", "class_token", "positions", "table")
"""The roles of weights that are cast to a narrow type. Normalisation keeps its weights in float32;
only PyTorch's layer normalisation in prediction has all in one type."""

NO_TF32 = "NVIDIA_TF32_OVERRIDE"
"""The environment variable that is 0 in all runs except those in tf32: it keeps old libraries from
rounding float32 by default."""

LOSS_SCALES = {"float16": 128.0}
"""The factor of the loss, so that small gradients aren't rounded to 0 in float16."""

IN_INFERENCE = ("cast", "autocast")
"""Values of the option inference_weights: weights are cast once, or from float32 in each call."""


def loss_scale(precision: str) -> float:
    """The factor by which the loss is multiplied before gradients are computed, by precision."""
    return LOSS_SCALES.get(precision, 1.0)
