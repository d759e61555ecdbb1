"""oneDNN in TensorFlow."""

import importlib
from typing import Any, Mapping

from worker import support
from worker.events import Unsupported
from worker.job import Job
from worker.libraries.processor import ONEDNN_VALUES

MODULES = ("util._pywrap_util_port", "_pywrap_util_port", "pywrap_tensorflow")
"""TensorFlow's modules that tell it, the newest first."""


def check(job: Job, options: Mapping[str, Any], version: str) -> None:
    """Raise Unsupported if option `use_onednn` has a wrong value, or does nothing here."""
    support.check_value("use_onednn", options, ONEDNN_VALUES)
    if options["use_onednn"] == "default":
        return
    if job.device_kind != "cpu":
        raise Unsupported("option use_onednn is for processors")
    if tuple(map(int, version.split(".")[:2])) < (2, 5):
        raise Unsupported("option use_onednn: TensorFlow has it from 2.5 on")


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
