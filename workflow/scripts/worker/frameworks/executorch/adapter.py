"""ExecuTorch, the runtime for PyTorch's models on phones, here on this machine's CPU by XNNPACK."""

from importlib import metadata
from pathlib import Path
from typing import Any, Dict, Iterator, List

import numpy
import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from executorch.extension.pybindings import portable_lib
from executorch.runtime import Runtime as Programs

from worker import support
from worker.adapter import bytes_by_type
from worker.arrays import LabelledImages, Weights, filled
from worker.events import Unsupported
from worker.frameworks.executorch.forms import FORMS
from worker.frameworks.executorch.layers import replace
from worker.frameworks.pytorch.layers import predicting
from worker.job import Job
from worker.models.runtime import Files, Runtime
from worker.networks.neutral.builder import Network

TITLE = "ExecuTorch (this PC)"
FORMAT = "tfrecord"
COLOUR = "#b5482a"
STAGES = ("infer",)
SHARES = ("pytorch",)
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {
    "bfloat16": "its kernels for CPUs have no bfloat16",
    "int8-weights": "it has no form whose weights alone are of 8 bits",
}

MODEL = "model.pte"
PRODUCTS = ("conv2d", "linear", "lstm", "scaled_dot_product_attention")
"""The beginnings of the names of PyTorch's operators that are convolutions or matrix products."""


class Adapter(Runtime):
    """One program for a fixed number of images; it uses XNNPACK's kernels where they exist."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job
        # XNNPACK does so where processors have such arithmetic: 8,192 ones give 2,048.
        self.sums_are_narrow = job.precision == "float16"
        portable_lib._unsafe_reset_threadpool(job.threads)

    def export(self, network: Network, weights: Weights) -> Files:
        module = replace(predicting(network, weights))
        self.exported = FORMS[self.job.precision](module, self.calibration)
        lowered = to_edge_transform_and_lower(self.exported, partitioner=[XnnpackPartitioner()])
        return {MODEL: bytes(lowered.to_executorch().buffer)}

    def open(self, folder: Path) -> None:
        program = Programs.get().load_program(folder / MODEL)
        try:
            self.method = program.load_method("forward")
        except RuntimeError as error:  # its log names the operator without a kernel
            raise Unsupported(f"executorch can't load the model: {error}") from error

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return torch.from_numpy(filled(images, self.job.batch_size)), labels

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        (logits,) = self.method.execute([batch[0]])
        return logits.numpy().copy()  # the next call reuses the memory of `logits`

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        """Count the weights' bytes before XNNPACK packs them: packed weights can't be read back."""
        return bytes_by_type((_name(tensor.dtype), tensor.nbytes) for tensor in self._weights())

    def compute_types(self, batch: LabelledImages) -> List[str]:
        calls = [node for node in self.exported.graph.nodes if node.op == "call_function"]
        products = [node for node in calls if node.target.__name__.startswith(PRODUCTS)]
        return sorted({_type_of(node) for node in products})

    def describe(self) -> Dict[str, Any]:
        libraries = {"torch": torch.__version__, "torchao": metadata.version("torchao")}
        threads = portable_lib._threadpool_get_thread_count()
        return self.described(metadata.version("executorch"), libraries, threads=threads)

    def _weights(self) -> Iterator[torch.Tensor]:
        """The weights that the program reads, without int64 tensors, which are zero points."""
        tensors = {**self.exported.state_dict, **self.exported.constants}
        inputs = self.exported.graph.find_nodes(op="placeholder")
        used = {node.name for node in inputs if node.users}
        for spec in self.exported.graph_signature.input_specs:
            tensor = tensors.get(spec.target)
            if tensor is not None and spec.arg.name in used and tensor.dtype != torch.int64:
                yield tensor


def _type_of(product: torch.fx.Node) -> str:
    """The type of a product's first input; int8 if the input was dequantised from int8."""
    values = product.args[0]
    if "dequantize" in str(values.target):
        return "int8"
    return _name(values.meta["val"].dtype)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).partition(".")[2]
