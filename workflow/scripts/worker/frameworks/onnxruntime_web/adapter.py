"""ONNX Runtime Web, on ONNX models, in WebAssembly in a browser."""

from typing import Any, Dict, List

from worker import support
from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights
from worker.browser.runtime import BrowserRuntime
from worker.job import Job
from worker.models.onnx import content
from worker.models.onnx.forms import FORMS
from worker.models.onnx.model import model
from worker.models.runtime import Files
from worker.networks.neutral.builder import Network

TITLE = "ONNX Runtime Web (this PC)"
FORMAT = "tfrecord"
COLOUR = "#9aa5a8"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {"bfloat16": "WebAssembly has no such type"}


class Adapter(BrowserRuntime):
    """One session in the page."""

    MODEL = "model.onnx"

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        super().__init__(job)

    def export(self, network: Network, weights: Weights) -> Files:
        return {self.MODEL: FORMS[self.job.precision](model(network, weights), self.calibration)}

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return bytes_by_type(content.constants(self.folder / self.MODEL))

    def compute_types(self, batch: LabelledImages) -> List[str]:
        return content.product_types(self.folder / self.MODEL)

    def describe(self) -> Dict[str, Any]:
        return self.described("onnxruntime-web")
