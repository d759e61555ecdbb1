"""ONNX Runtime with model files of PyTorch's exporter, to compare with trainmark's model files."""

import tempfile
from pathlib import Path
from typing import Any, Dict

import torch

from worker.arrays import Weights
from worker.frameworks.onnxruntime import adapter
from worker.frameworks.pytorch.layers import predicting
from worker.models.onnx.forms import FORMS
from worker.models.onnx.graph import IMAGES, LOGITS
from worker.models.onnx.runtime import MODEL
from worker.models.runtime import Files
from worker.networks.neutral.builder import Network

TITLE = "ONNX Runtime, by torch.onnx"
FORMAT = "tfrecord"
COLOUR = "#a8754f"
STAGES = ("infer",)
ENVIRONMENT = "executorch"
SHARES = ("onnxruntime", "pytorch")
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {
    "bfloat16": "its kernels for CPUs have no bfloat16",
    "int8-weights": "it has no form whose weights alone are of 8 bits",
}


class Adapter(adapter.Adapter):
    """ONNX Runtime's adapter with PyTorch's exporter; the precisions' forms are trainmark's."""

    def export(self, network: Network, weights: Weights) -> Files:
        images = torch.zeros(self.job.batch_size, *self.job.image_shape)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, MODEL)
            torch.onnx.export(
                predicting(network, weights),
                (images,),
                path,
                input_names=[IMAGES],
                output_names=[LOGITS],
                dynamic_shapes=[{0: torch.export.Dim("count")}],
                external_data=False,
                verbose=False,
            )
            return {MODEL: FORMS[self.form](path.read_bytes(), self.calibration)}

    def describe(self) -> Dict[str, Any]:
        described = super().describe()
        return dict(described, libraries=dict(described["libraries"], torch=torch.__version__))
