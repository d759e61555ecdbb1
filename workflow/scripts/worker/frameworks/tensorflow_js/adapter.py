"""TensorFlow.js, on its own graph models, in WebAssembly in a browser."""

from typing import Any, Dict

from worker import support
from worker.browser.runtime import BrowserRuntime
from worker.job import Job
from worker.models.tfjs.runtime import OfTfjs

TITLE = "TensorFlow.js (this PC)"
FORMAT = "tfrecord"
COLOUR = "#f0b27a"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32", "float16", "int8-weights")}
MISSING = {
    "bfloat16": "WebAssembly has no bfloat16",
    "int8-dynamic": "it computes in float32 alone",
    "int8-static": "it computes in float32 alone",
}


class Adapter(BrowserRuntime, OfTfjs):
    """One graph model in the page."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        super().__init__(job)

    def describe(self) -> Dict[str, Any]:
        return self.describe_package("@tensorflow/tfjs-core")
