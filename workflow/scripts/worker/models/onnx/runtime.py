"""The base class of runtimes of ONNX models."""

from typing import Dict, List

from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights
from worker.models.onnx import content
from worker.models.onnx.forms import FORMS
from worker.models.onnx.model import model
from worker.models.runtime import Files, Runtime
from worker.networks.neutral.builder import Network

MODEL = "model.onnx"


class OfOnnx(Runtime):
    """A runtime that predicts from the file MODEL, for any number of images (n, C, H, W)."""

    MODEL = MODEL

    @property
    def form(self) -> str:
        """The form of the file: one of FORMS."""
        return self.job.precision

    def export(self, network: Network, weights: Weights) -> Files:
        return {MODEL: FORMS[self.form](model(network, weights), self.calibration)}

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return bytes_by_type(content.constants(self.folder / MODEL))

    def compute_types(self, batch: LabelledImages) -> List[str]:
        return content.product_types(self.folder / MODEL)
