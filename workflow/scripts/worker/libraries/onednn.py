"""oneDNN in TensorFlow."""

import importlib

MODULES = ("util._pywrap_util_port", "_pywrap_util_port", "pywrap_tensorflow")
"""TensorFlow's modules that tell it, the newest first."""


def is_enabled() -> bool:
    """Whether TensorFlow tells that it computes by MKL-DNN or oneDNN, once it is imported."""
    for name in MODULES:
        try:
            module = importlib.import_module("tensorflow.python." + name)
        except ImportError:
            continue
        if hasattr(module, "IsMklEnabled"):
            return bool(module.IsMklEnabled())
    return False
