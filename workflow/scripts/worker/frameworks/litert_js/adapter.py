"""LiteRT.js, on TensorFlow Lite models, in WebAssembly in a browser."""

from typing import Any, Dict

from worker import support
from worker.browser.runtime import BrowserRuntime
from worker.job import Job
from worker.models.tflite.runtime import OfTflite

TITLE = "LiteRT.js (this PC)"
FORMAT = "tfrecord"
COLOUR = "#7fcf9f"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32", "float16", "int8-weights", "int8-dynamic", "int8-static")}
MISSING = {"bfloat16": "WebAssembly has no bfloat16"}


class Adapter(BrowserRuntime, OfTflite):
    """One compiled model in the page, of a fixed number of images."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        super().__init__(job)

    def describe(self) -> Dict[str, Any]:
        return self.describe_package("@litertjs/core")
