"""The forms of an ONNX model: its weights, or all of it, in fewer bits."""

import tempfile
from pathlib import Path
from typing import Callable, Dict, List, Optional

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import (
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from worker.models.onnx.graph import IMAGES

Batches = List[numpy.ndarray]
"""Images for calibration (n, C, H, W), float32, normalised."""


def unchanged(content: bytes, batches: Batches) -> bytes:
    """The model in float32."""
    return content


def float16(content: bytes, batches: Batches) -> bytes:
    """Weights stored as float16, which runtimes cast to float32 when they load the model."""
    model = onnx.load_from_string(content)
    graph = model.graph
    stored, casts = [], []
    for tensor in graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == numpy.float32 and array.size > 1:
            wide, name = tensor.name, tensor.name + "/float16"
            casts.append(helper.make_node("Cast", [name], [wide], name, to=TensorProto.FLOAT))
            tensor = numpy_helper.from_array(array.astype(numpy.float16), name)
        stored.append(tensor)
    nodes = [*casts, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(stored)
    graph.node.extend(nodes)
    narrowed: bytes = model.SerializeToString()
    return narrowed


def int8_dynamic(content: bytes, batches: Batches) -> bytes:
    """Dense layers in int8, with inputs that are scaled anew in each call.

    Convolutions stay in float32, which is faster than the operator ConvInteger.
    """

    def quantise(source: Path, target: Path) -> None:
        quantize_dynamic(source, target, op_types_to_quantize=["MatMul", "Gemm"])

    return _quantised(content, quantise)


def int8_static(content: bytes, batches: Batches) -> bytes:
    """All layers in int8, by the ranges of values on the calibration images.

    Input and output stay float32. Weights have a scale for each channel. The ranges are the
    extremes: moving averages, the default of other quantisers, cut off rare values, and cost
    percentage points of accuracy.
    """

    def quantise(source: Path, target: Path) -> None:
        quantize_static(
            source,
            target,
            _Calibration(batches),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
        )

    return _quantised(content, quantise)


def _quantised(content: bytes, quantise: Callable[[Path, Path], None]) -> bytes:
    """Quantise by way of files, after constants are folded."""
    with tempfile.TemporaryDirectory() as folder:
        prepared, target = Path(folder, "prepared.onnx"), Path(folder, "quantised.onnx")
        quant_pre_process(onnx.load_from_string(content), prepared)
        quantise(prepared, target)
        return target.read_bytes()


class _Calibration:
    """A quantiser's data reader, over batches of images."""

    def __init__(self, batches: Batches) -> None:
        self.batches = iter(batches)

    def get_next(self) -> Optional[Dict[str, numpy.ndarray]]:
        batch = next(self.batches, None)
        return None if batch is None else {IMAGES: batch}


FORMS = {
    "float32": unchanged,
    "float16": float16,
    "int8-dynamic": int8_dynamic,
    "int8-static": int8_static,
}
