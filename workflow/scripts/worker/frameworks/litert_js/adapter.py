"""LiteRT.js, on TensorFlow Lite models, in WebAssembly in a browser."""

from typing import Any, Dict, List

import numpy

from worker import support
from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights
from worker.browser.runtime import BrowserRuntime
from worker.job import Job
from worker.models.runtime import Files, channels_last
from worker.models.tflite import content
from worker.models.tflite.forms import FORMS
from worker.models.tflite.model import model
from worker.networks.neutral.builder import Network

TITLE = "LiteRT.js (this PC)"
FORMAT = "tfrecord"
COLOUR = "#7fcf9f"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {"bfloat16": "WebAssembly has no such type"}


class Adapter(BrowserRuntime):
    """One compiled model in the page, of a fixed number of images."""

    MODEL = "model.tflite"

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        super().__init__(job)

    def export(self, network: Network, weights: Weights) -> Files:
        whole = model(network, weights, self.job.batch_size)
        return {self.MODEL: FORMS[self.job.precision](whole, self.calibration)}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return channels_last(images, self.job.batch_size), labels

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return bytes_by_type(content.constants(self.folder / self.MODEL))

    def compute_types(self, batch: LabelledImages) -> List[str]:
        return content.product_types(self.folder / self.MODEL)

    def describe(self) -> Dict[str, Any]:
        return self.described("@litertjs/core")
