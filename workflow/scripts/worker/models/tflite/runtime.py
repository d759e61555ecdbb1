"""The base class of runtimes of TensorFlow Lite models."""

from typing import Dict, List

import numpy

from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights, filled
from worker.models.runtime import Files, Runtime
from worker.models.tflite import content
from worker.models.tflite.forms import FORMS
from worker.models.tflite.model import model
from worker.networks.neutral.builder import Network

MODEL = "model.tflite"


class OfTflite(Runtime):
    """A runtime that predicts from the file MODEL, for exactly a batch of images (n, H, W, C)."""

    MODEL = MODEL

    def export(self, network: Network, weights: Weights) -> Files:
        whole = model(network, weights, self.job.batch_size)
        return {MODEL: FORMS[self.job.precision](whole, self.calibration)}

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        """The images channels last, filled up with zeros to the model's number."""
        padded = filled(images, self.job.batch_size)
        return numpy.ascontiguousarray(padded.transpose(0, 2, 3, 1)), labels

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return bytes_by_type(content.constants(self.folder / MODEL))

    def compute_types(self, batch: LabelledImages) -> List[str]:
        return content.product_types(self.folder / MODEL)
