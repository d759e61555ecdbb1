"""OpenVINO, on ONNX models."""

from pathlib import Path
from typing import Any, Dict, List

import numpy
import onnx
import openvino

from worker import events, support
from worker.arrays import LabelledImages, filled
from worker.job import Job
from worker.models.onnx.runtime import MODEL, OfOnnx

TITLE = "OpenVINO"
FORMAT = "tfrecord"
COLOUR = "#7a5cc2"
STAGES = ("infer",)
PRECISIONS = {"cpu": ("float32", "bfloat16", "float16", "int8-dynamic", "int8-static")}
MISSING = {"int8-weights": "what it makes of int8-dynamic computes in float32 already"}

PRODUCTS = ("Convolution", "FullyConnected", "MatMul", "LSTMSequence", "RNNSeq", "RNNCell")
TYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16", "i8": "int8", "u8": "int8"}
"""Types by OpenVINO's names."""


class Adapter(OfOnnx):
    """One model, compiled for a batch and the least latency; in float32 unless bfloat16 is set."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job
        self.core = openvino.Core()
        if job.precision == "bfloat16":
            self._check_bfloat16()
        self.settings = {
            "INFERENCE_NUM_THREADS": job.threads,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "bf16" if job.precision == "bfloat16" else "f32",
        }

    @property
    def form(self) -> str:
        return "float32" if self.job.precision == "bfloat16" else self.job.precision

    def open(self, folder: Path) -> None:
        model = self.core.read_model(folder / MODEL)
        # For any number of images it would be slower: the file leaves the number open.
        model.reshape([self.job.batch_size, *self.job.image_shape])
        self.compiled = self.core.compile_model(model, "CPU", self.settings)
        self.request = self.compiled.create_infer_request()

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        """The images, filled up with zeros to the compiled model's number."""
        return filled(images, self.job.batch_size), labels

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        logits: numpy.ndarray = self.request.infer([batch[0]], share_inputs=True)[0]
        return logits

    def compute_types(self, batch: LabelledImages) -> List[str]:
        operators = self.compiled.get_runtime_model().get_ops()
        facts = [operator.get_rt_info() for operator in operators]
        products = [fact for fact in facts if str(fact["layerType"].value) in PRODUCTS]
        return sorted({TYPES[str(fact["runtimePrecision"].value)] for fact in products})

    def describe(self) -> Dict[str, Any]:
        libraries = {"onnx": onnx.__version__}
        return self.described(openvino.__version__, libraries, flags=dict(self.settings))

    def _check_bfloat16(self) -> None:
        if "BF16" not in self.core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"):
            raise events.Unsupported("this processor has no products of bfloat16")
