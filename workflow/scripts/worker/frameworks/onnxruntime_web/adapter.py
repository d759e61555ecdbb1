"""ONNX Runtime Web, on ONNX models, in WebAssembly in a browser."""

from typing import Any, Dict

from worker import support
from worker.browser.runtime import BrowserRuntime
from worker.job import Job
from worker.models.onnx.runtime import OfOnnx

TITLE = "ONNX Runtime Web (this PC)"
FORMAT = "tfrecord"
COLOUR = "#9aa5a8"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {
    "bfloat16": "WebAssembly has no bfloat16",
    "int8-weights": "it has no form whose weights alone are of 8 bits",
}


class Adapter(BrowserRuntime, OfOnnx):
    """One session in the page."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        super().__init__(job)

    def describe(self) -> Dict[str, Any]:
        return self.describe_package("onnxruntime-web")
