"""The forms of an ExecuTorch program: a network's graph of PyTorch in fewer bits."""

from dataclasses import replace
from typing import Callable, Dict, List

import numpy
import torch
from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
    XNNPACKQuantizer,
    get_symmetric_quantization_config,
)
from torch import nn
from torchao.quantization.pt2e import MinMaxObserver
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

Batches = List[numpy.ndarray]
"""Images for calibration (n, C, H, W), float32, normalised, in the program's batch size."""

LEAST_SCALE = 2.0**-12
"""The default of XNNPACK's quantiser; its kernels are inexact below that."""


class Half(nn.Module):
    """A network in float16 with inputs and outputs in float32."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module.half()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Logits float32 (n, classes) of images float32 (n, C, H, W)."""
        return self.module(images.half()).float()


def exported(module: nn.Module, images: numpy.ndarray) -> torch.export.ExportedProgram:
    """The module's graph, for the number of these images."""
    return torch.export.export(module, (torch.from_numpy(images),))


def float32(module: nn.Module, batches: Batches) -> torch.export.ExportedProgram:
    """The network unchanged."""
    return exported(module, batches[0])


def float16(module: nn.Module, batches: Batches) -> torch.export.ExportedProgram:
    """Weights and all computations in float16."""
    return exported(Half(module), batches[0])


def int8_dynamic(module: nn.Module, batches: Batches) -> torch.export.ExportedProgram:
    """Dense layers in int8, with inputs that are scaled anew in each call."""
    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic=True)
    quantizer = XNNPACKQuantizer().set_operator_type(torch.ops.aten.linear.default, config)
    return _quantised(module, quantizer, batches[:1])


def int8_static(module: nn.Module, batches: Batches) -> torch.export.ExportedProgram:
    """All operators with int8 kernels in int8, by the extremes of values on the calibration images.

    The default, ranges of a histogram, cuts off rare values.
    """
    config = get_symmetric_quantization_config(is_per_channel=True)
    observer = MinMaxObserver.with_args(eps=LEAST_SCALE)
    values = replace(config.input_activation, observer_or_fake_quant_ctr=observer)
    extremes = replace(config, input_activation=values, output_activation=values)
    return _quantised(module, XNNPACKQuantizer().set_global(extremes), batches)


def _quantised(
    module: nn.Module, quantizer: XNNPACKQuantizer, batches: Batches
) -> torch.export.ExportedProgram:
    """Observe the values on these batches, and quantise by them."""
    observed = prepare_pt2e(exported(module, batches[0]).module(), quantizer)
    for images in batches:
        observed(torch.from_numpy(images))
    return exported(convert_pt2e(observed), batches[0])


FORMS: Dict[str, Callable[[nn.Module, Batches], torch.export.ExportedProgram]] = {
    "float32": float32,
    "float16": float16,
    "int8-dynamic": int8_dynamic,
    "int8-static": int8_static,
}
