"""Precisions in PyTorch: autocast around the forward pass; in prediction, weights cast once."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Dict, List, Set

import torch
from torch import fx, nn

from worker import events, precisions
from worker.frameworks.pytorch.layers import LSTM, PatchTokens
from worker.job import Job


class Precision:
    """How the job's precision is computed in; `images` is the type that the network takes.

    Batch norm has its own weights in float32, as autocast leaves them, too.
    """

    def __init__(self, job: Job, options: Dict[str, Any]) -> None:
        is_tf32 = job.precision == "tf32"
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = is_tf32
        self.type = getattr(torch, job.precision) if job.precision in precisions.HALF else None
        is_cast = job.stage == "infer" and options["inference_weights"] == "cast"
        self.of_weights = self.type if is_cast else None
        self.images = self.of_weights or torch.float32
        self.device = job.device_kind
        self.loss_scale = precisions.loss_scale(job.precision)

    def cast(self, module: nn.Module) -> nn.Module:
        """Cast the weights, where prediction takes them so; raises events.Unsupported."""
        lacks_lstm = not self.of_weights and (self.device, self.type) == ("cpu", torch.float16)
        if lacks_lstm and any(isinstance(layer, LSTM) for layer in module.children()):
            raise events.Unsupported("on processors PyTorch trains no LSTM in float16")
        if self.of_weights:
            for layer in module.children():
                if not isinstance(layer, nn.BatchNorm2d):
                    layer.to(self.of_weights)
        return module

    def forward(self) -> "AbstractContextManager[Any]":
        """The context of a forward pass."""
        if self.type is None or self.of_weights:
            return nullcontext()
        return torch.autocast(self.device, self.type)

    def backward(self, loss: torch.Tensor, module: nn.Module) -> None:
        """Leave the gradients of the loss, which narrow types need scaled on their way."""
        if self.loss_scale == 1:
            loss.backward()
            return
        (self.loss_scale * loss).backward()
        torch._foreach_div_([p.grad for p in module.parameters()], self.loss_scale)


class Types(fx.Interpreter):
    """A network that notes in `found` the types that its convolutions and products give."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.found: Set[torch.dtype] = set()

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Compute a layer; a product is noted, but not patches, to which positions are added."""
        y = super().call_module(target, args, kwargs)
        layer = self.fetch_attr(target)
        if isinstance(layer, (nn.Conv2d, nn.Linear, LSTM)) and not isinstance(layer, PatchTokens):
            self.found.add(y.dtype)
        return y

    def names(self) -> List[str]:
        """The types as numpy calls them."""
        return sorted(map(type_name, self.found))


def type_name(dtype: torch.dtype) -> str:
    """A type as numpy calls it."""
    return str(dtype).rpartition(".")[2]
