"""The base class of runtimes of TensorFlow.js models."""

from typing import Dict, List

import numpy

from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights
from worker.models.runtime import Files, Runtime
from worker.models.tfjs import content
from worker.models.tfjs.model import MODEL, model
from worker.networks.neutral.builder import Network


class OfTfjs(Runtime):
    """A runtime that predicts from MODEL and its weights, for any number of images (n, H, W, C)."""

    MODEL = MODEL

    def export(self, network: Network, weights: Weights) -> Files:
        return model(network, weights, self.job.precision)

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return numpy.ascontiguousarray(images.transpose(0, 2, 3, 1)), labels

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return bytes_by_type(content.constants(self.folder / MODEL))

    def compute_types(self, batch: LabelledImages) -> List[str]:
        return [
            "float32"
        ]  # which constants become when they are loaded, whatever they are stored in
