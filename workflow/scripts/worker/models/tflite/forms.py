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
"""Images (n, C, H, W), float32, normalised, by which ranges are found, in the model's batches."""


def unchanged(content: bytes, batches: Batches) -> bytes:
    """The model in float32."""
    return content


def float16(content: bytes, batches: Batches) -> bytes:
    """Weights stored as float16, of which the runtime makes float32."""

    def quantise(path: str) -> Any:
        maker = quantizer.Quantizer(path)
        weights = qtyping.TensorQuantizationConfig(num_bits=16, dtype=qtyping.TensorDataType.FLOAT)
        config = qtyping.OpQuantizationConfig(
            weight_tensor_config=weights,
            compute_precision=qtyping.ComputePrecision.FLOAT,
            explicit_dequantize=True,
        )
        maker.update_quantization_recipe(
            regex=ALL,
            operation_name=OPERATIONS.ALL_SUPPORTED,
            algorithm_key=ALGORITHMS.FLOAT_CASTING,
            op_config=config,
        )
        return maker.quantize()

    return _quantised(content, quantise)


def int8_weights(content: bytes, batches: Batches) -> bytes:
    """Weights in int8, of which the runtime makes float32."""

    def quantise(path: str) -> Any:
        return quantizer.Quantizer(path, recipe.weight_only_wi8_afp32()).quantize()

    return _quantised(content, quantise)


def int8_dynamic(content: bytes, batches: Batches) -> bytes:
    """Weights in int8, and what they are multiplied by scaled anew in each call."""

    def quantise(path: str) -> Any:
        return quantizer.Quantizer(path, recipe.dynamic_wi8_afp32()).quantize()

    return _quantised(content, quantise)


def int8_static(content: bytes, batches: Batches) -> bytes:
    """All in int8 but what goes in and out, by the ranges that these images cause.

    What goes in and out stays float32, as LiteRT for the web takes nothing else. The ranges are the
    extremes; by default they are moving averages, which cut off what is rare, and cost points of
    accuracy.
    """

    def quantise(path: str) -> Any:
        maker = quantizer.Quantizer(path, recipe.static_wi8_ai8())
        for edge in (OPERATIONS.INPUT, OPERATIONS.OUTPUT):
            maker.update_quantization_recipe(
                regex=ALL, operation_name=edge, algorithm_key=ALGORITHMS.NO_QUANTIZE
            )
        ranges = calibrator.Calibrator(
            path, num_threads=1, qsv_update_func=qsv_utils.min_max_update
        )
        samples = [{IMAGES: images.transpose(0, 2, 3, 1)} for images in batches]
        ranges.calibrate({SIGNATURE: samples}, maker._recipe_manager)
        return maker.quantize(ranges.get_model_qsvs())

    return _quantised(content, quantise)


def _quantised(content: bytes, quantise: Callable[[str], Any]) -> bytes:
    """Quantise by a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.tflite")
        path.write_bytes(content)
        made: bytes = bytes(quantise(str(path)).quantized_model)
        return made


FORMS: Dict[str, Callable[[bytes, Batches], bytes]] = {
    "float32": unchanged,
    "float16": float16,
    "int8-weights": int8_weights,
    "int8-dynamic": int8_dynamic,
    "int8-static": int8_static,
}
