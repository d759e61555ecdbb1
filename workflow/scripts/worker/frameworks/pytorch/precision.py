"""Precisions in PyTorch: autocast around the forward pass; in prediction, weights cast once."""

from typing import Any, Dict, List, Set

import torch
from torch import nn

from worker import events, networks, precisions
from worker.frameworks.pytorch import releases
from worker.frameworks.pytorch.layers import LSTM, PatchTokens
from worker.job import Job


class Precision:
    """Casts and loss scaling for the job's precision; `images` is the type of the network's input.

    Batch norm has its weights in float32, as under autocast.
    """

    def __init__(self, job: Job, options: Dict[str, Any]) -> None:
        is_tf32 = job.precision == "tf32"
        if releases.RELEASE >= (1, 7):
            torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = is_tf32
        if job.precision != "float32" and releases.RELEASE < (1, 10):
            raise events.Unsupported("PyTorch computes in other types than float32 from 1.10 on")
        self.type = getattr(torch, job.precision) if job.precision in precisions.HALF else None
        is_cast = job.stage in precisions.PREDICTING and options["inference_weights"] == "cast"
        self.of_weights = self.type if is_cast else None
        reads_numbers = networks.reads_text(job.network)  # a narrow type lacks some of them
        self.images = torch.float32 if reads_numbers else self.of_weights or torch.float32
        self.device = "cpu" if job.device_kind == "cpu" else "cuda"  # also of builds for ROCm
        self.loss_scale = precisions.loss_scale(job.precision)

    def cast(self, module: nn.Module) -> nn.Module:
        """Cast the weights where prediction needs it; raises events.Unsupported."""
        is_lstm_missing = not self.of_weights and (self.device, self.type) == ("cpu", torch.float16)
        if is_lstm_missing and any(isinstance(layer, LSTM) for layer in module.children()):
            raise events.Unsupported("on processors PyTorch trains no LSTM in float16")
        if self.of_weights:
            for layer in module.children():
                if not isinstance(layer, nn.BatchNorm2d):
                    layer.to(self.of_weights)
        return module

    def forward(self) -> Any:
        """The context of a forward pass."""
        if self.type is None or self.of_weights:
            return releases.nullcontext()
        return torch.autocast(self.device, self.type)

    def backward(self, loss: torch.Tensor, module: nn.Module) -> None:
        """Compute the gradients of the loss, which is scaled in between for narrow types."""
        if self.loss_scale == 1:
            loss.backward()
            return
        (self.loss_scale * loss).backward()
        # A fixed bias, as of LSTMs, has none.
        gradients = [p.grad for p in module.parameters() if p.grad is not None]
        torch._foreach_div_(gradients, self.loss_scale)


class Types:
    """The output types of a network's convolutions and products, except of patches.

    Patches add positions.
    """

    def __init__(self, module: nn.Module) -> None:
        self.module = module
        self.types: Set[torch.dtype] = set()

    def run(self, images: torch.Tensor) -> None:
        """Compute all layers and record the types."""
        products = (nn.Conv2d, nn.Linear, LSTM)
        hooks = [
            layer.register_forward_hook(self._record)
            for layer in self.module.children()
            if isinstance(layer, products) and not isinstance(layer, PatchTokens)
        ]
        self.module(images)
        for hook in hooks:
            hook.remove()

    def _record(self, layer: nn.Module, x: Any, y: torch.Tensor) -> None:
        self.types.add(y.dtype)

    def names(self) -> List[str]:
        """Numpy's names of the types."""
        return sorted(map(type_name, self.types))


def type_name(dtype: torch.dtype) -> str:
    """Numpy's name of a type."""
    return str(dtype).rpartition(".")[2]
