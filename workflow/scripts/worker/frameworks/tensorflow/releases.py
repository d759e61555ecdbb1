"""Parts of TensorFlow that releases from 2.1 on lack, or have under another name."""

import inspect
from typing import Any, Dict

import tensorflow as tf
from tensorflow.python.eager import context

RELEASE = tuple(int(number) for number in tf.__version__.split(".")[:2])
AUTOTUNE = tf.data.experimental.AUTOTUNE  # tf.data.AUTOTUNE from 2.4 on
JIT_COMPILE = "jit_compile" if RELEASE >= (2, 5) else "experimental_compile"
MOVES_STATISTICS = (
    "exponential_avg_factor" in inspect.signature(tf.raw_ops.FusedBatchNormV3).parameters
)
"""Whether the fused batch norm moves the running statistics itself: from 2.2 on."""


def synchronise() -> None:
    """Wait for all that was started, by a function that TensorFlow has from 2.10 on."""
    if hasattr(tf.test, "experimental"):
        tf.test.experimental.sync_devices()
    else:
        context.async_wait()


def set_tf32(is_enabled: bool) -> None:
    """Allow tf32 on GPUs or forbid it; releases before 2.4 have none."""
    if RELEASE >= (2, 4):
        tf.config.experimental.enable_tensor_float_32_execution(is_enabled)


def has_tf32() -> bool:
    """Whether tf32 is allowed on GPUs."""
    return RELEASE >= (2, 4) and tf.config.experimental.tensor_float_32_execution_enabled()


def gelu(x: tf.Tensor) -> tf.Tensor:
    """TensorFlow's own from 2.4 on, before it by the error function."""
    return tf.nn.gelu(x) if RELEASE >= (2, 4) else 0.5 * x * (1 + tf.math.erf(x * 0.5**0.5))


def silu(x: tf.Tensor) -> tf.Tensor:
    """TensorFlow's own from 2.4 on, before it by the sigmoid."""
    return tf.nn.silu(x) if RELEASE >= (2, 4) else x * tf.sigmoid(x)


def build_facts() -> Dict[str, Any]:
    """What TensorFlow tells of its build, from 2.3 on."""
    return dict(tf.sysconfig.get_build_info()) if RELEASE >= (2, 3) else {}
