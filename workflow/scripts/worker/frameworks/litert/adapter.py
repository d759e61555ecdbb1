"""LiteRT, the runtime of TensorFlow Lite models on phones, on this machine's processor."""

from importlib import metadata
from pathlib import Path
from typing import Any, Dict, List

import numpy
from ai_edge_litert.interpreter import Interpreter

from worker import support
from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights
from worker.job import Job
from worker.models.runtime import Files, Runtime, channels_last
from worker.models.tflite import content
from worker.models.tflite.forms import FORMS
from worker.models.tflite.model import model
from worker.networks.neutral.builder import Network

TITLE = "LiteRT (this PC)"
FORMAT = "tfrecord"
COLOUR = "#2f8f5b"
STAGES = ("infer",)
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {"bfloat16": "its kernels for CPUs have no such type"}

MODEL = "model.tflite"


class Adapter(Runtime):
    """One interpreter of the model, which has a fixed number of images."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job

    def export(self, network: Network, weights: Weights) -> Files:
        whole = model(network, weights, self.job.batch_size)
        return {MODEL: FORMS[self.job.precision](whole, self.calibration)}

    def open(self, folder: Path) -> None:
        self.path = folder / MODEL
        self.interpreter = Interpreter(str(self.path), num_threads=self.job.threads)
        self.interpreter.allocate_tensors()
        (taken,) = self.interpreter.get_input_details()
        (given,) = self.interpreter.get_output_details()
        self.taken, self.given = taken["index"], given["index"]

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return channels_last(images, self.job.batch_size), labels

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        self.interpreter.set_tensor(self.taken, batch[0])
        self.interpreter.invoke()
        logits: numpy.ndarray = self.interpreter.get_tensor(self.given)
        return logits

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        return bytes_by_type(content.constants(self.path))

    def compute_types(self, batch: LabelledImages) -> List[str]:
        return content.product_types(self.path)

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "litert",
            "version": metadata.version("ai-edge-litert"),
            "threads": self.job.threads,
            "libraries": {"ai-edge-quantizer": metadata.version("ai-edge-quantizer")},
            "flags": {},
            "devices": ["cpu"],
            "device_batch_size": self.job.batch_size,
        }
