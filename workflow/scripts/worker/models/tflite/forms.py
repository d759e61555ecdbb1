"""The forms of a TensorFlow Lite model: its weights, or all of it, in fewer bits."""

import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy
from ai_edge_quantizer import algorithm_manager, calibrator, qtyping, quantizer, recipe
from ai_edge_quantizer.utils import qsv_utils

from worker.models.tflite.graph import IMAGES, SIGNATURE

ALGORITHMS = algorithm_manager.AlgorithmName
OPERATIONS = qtyping.TFLOperationName
ALL = ".*"

Batches = List[numpy.ndarray]
"""Images for calibration (n, C, H, W), float32, normalised, in the model's batch size."""


def unchanged(content: bytes, batches: Batches) -> bytes:
    """The model in float32."""
    return content


def float16(content: bytes, batches: Batches) -> bytes:
    """Weights stored as float16, which the runtime casts to float32."""

    def quantise(path: str) -> Any:
        quantiser = quantizer.Quantizer(path)
        weights = qtyping.TensorQuantizationConfig(num_bits=16, dtype=qtyping.TensorDataType.FLOAT)
        config = qtyping.OpQuantizationConfig(
            weight_tensor_config=weights,
            compute_precision=qtyping.ComputePrecision.FLOAT,
            explicit_dequantize=True,
        )
        quantiser.update_quantization_recipe(
            regex=ALL,
            operation_name=OPERATIONS.ALL_SUPPORTED,
            algorithm_key=ALGORITHMS.FLOAT_CASTING,
            op_config=config,
        )
        return quantiser.quantize()

    return _quantised(content, quantise)


def int8_weights(content: bytes, batches: Batches) -> bytes:
    """Weights in int8, which the runtime dequantises to float32."""

    def quantise(path: str) -> Any:
        return quantizer.Quantizer(path, recipe.weight_only_wi8_afp32()).quantize()

    return _quantised(content, quantise)


def int8_dynamic(content: bytes, batches: Batches) -> bytes:
    """Weights in int8, and their inputs scaled anew in each call."""

    def quantise(path: str) -> Any:
        return quantizer.Quantizer(path, recipe.dynamic_wi8_afp32()).quantize()

    return _quantised(content, quantise)


def int8_static(content: bytes, batches: Batches) -> bytes:
    """All layers in int8, by the ranges of values on the calibration images.

    Input and output stay float32: LiteRT for the web supports no other type. The ranges are the
    extremes; moving averages, the default, cut off rare values, and cost percentage points of
    accuracy.
    """

    def quantise(path: str) -> Any:
        quantiser = quantizer.Quantizer(path, recipe.static_wi8_ai8())
        for edge in (OPERATIONS.INPUT, OPERATIONS.OUTPUT):
            quantiser.update_quantization_recipe(
                regex=ALL, operation_name=edge, algorithm_key=ALGORITHMS.NO_QUANTIZE
            )
        ranges = calibrator.Calibrator(
            path, num_threads=1, qsv_update_func=qsv_utils.min_max_update
        )
        samples = [{IMAGES: images.transpose(0, 2, 3, 1)} for images in batches]
        ranges.calibrate({SIGNATURE: samples}, quantiser._recipe_manager)
        return quantiser.quantize(ranges.get_model_qsvs())

    return _quantised(content, quantise)


def _quantised(content: bytes, quantise: Callable[[str], Any]) -> bytes:
    """Quantise by way of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.tflite")
        path.write_bytes(content)
        return bytes(quantise(str(path)).quantized_model)


FORMS: Dict[str, Callable[[bytes, Batches], bytes]] = {
    "float32": unchanged,
    "float16": float16,
    "int8-weights": int8_weights,
    "int8-dynamic": int8_dynamic,
    "int8-static": int8_static,
}
