"""ONNX Runtime, on ONNX models."""

from typing import Any, Dict

import numpy
import onnx
import onnxruntime

from worker import support
from worker.arrays import LabelledImages, Weights
from worker.job import Job
from worker.models.onnx.graph import IMAGES, LOGITS
from worker.models.onnx.model import model
from worker.models.runtime import Runtime
from worker.networks.neutral.builder import Network

TITLE = "ONNX Runtime"
FORMAT = "tfrecord"
COLOUR = "#5f6b6d"
STAGES = ("infer",)
PRECISIONS = {"cpu": ("float32",)}
MISSING = {
    "bfloat16": "its kernels for CPUs have no such type",
    "float16": "its kernels for CPUs compute in float32",
}


class Adapter(Runtime):
    """One session, whose threads within an operator are all that the job has."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = job.threads
        self.options.inter_op_num_threads = 1

    def open(self, network: Network, weights: Weights) -> None:
        content = model(network, weights)
        providers = ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(content, self.options, providers=providers)

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        (logits,) = self.session.run([LOGITS], {IMAGES: batch[0]})
        return numpy.asarray(logits)

    def describe(self) -> Dict[str, Any]:
        return {
            "framework": "onnxruntime",
            "version": onnxruntime.__version__,
            "threads": self.job.threads,
            "libraries": {"onnx": onnx.__version__},
            "flags": {},
            "devices": ["cpu"],
            "device_batch_size": self.job.batch_size,
        }
