"""ONNX Runtime, on ONNX models."""

import tempfile
from pathlib import Path
from typing import Any, Dict, List

import numpy
import onnx
import onnxruntime

from worker import support
from worker.arrays import LabelledImages
from worker.job import Job
from worker.models.onnx.graph import IMAGES, LOGITS
from worker.models.onnx.runtime import MODEL, OfOnnx

TITLE = "ONNX Runtime"
FORMAT = "tfrecord"
COLOUR = "#5f6b6d"
STAGES = ("infer",)
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {
    "bfloat16": "its kernels for CPUs have no bfloat16",
    "int8-weights": "it has no form whose weights alone are of 8 bits",
}

OF_INT8 = ("QLinear", "QGemm", "MatMulInteger", "DynamicQuantizeMatMul", "DynamicQuantizeLSTM")
OF_FLOAT32 = ("Conv", "FusedConv", "Gemm", "FusedGemm", "MatMul", "FusedMatMul", "LSTM")
"""Names of products in the model that the runtime optimised; those of 8 bits only begin so."""


class Adapter(OfOnnx):
    """One session; all threads of the job work within an operator."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job

    def open(self, folder: Path) -> None:
        self.session = self._session()

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        (logits,) = self.session.run([LOGITS], {IMAGES: batch[0]})
        return numpy.asarray(logits)

    def compute_types(self, batch: LabelledImages) -> List[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "optimised.onnx")
            self._session(str(path))
            operators = {node.op_type for node in onnx.load(path).graph.node}
        types = {"int8" for name in operators if name.startswith(OF_INT8)}
        return sorted(types | {"float32" for name in operators if name in OF_FLOAT32})

    def describe(self) -> Dict[str, Any]:
        return self.described(onnxruntime.__version__, {"onnx": onnx.__version__})

    def _session(self, optimised: str = "") -> onnxruntime.InferenceSession:
        """A session; it writes the optimised model to the file `optimised`, if that isn't empty."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self.job.threads, 1
        options.optimized_model_filepath = optimised
        options.log_severity_level = 3  # it warns of any file that it writes
        providers = ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(self.folder / MODEL, options, providers=providers)
