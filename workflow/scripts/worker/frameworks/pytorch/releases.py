"""Parts of PyTorch that releases from 1.0 on lack, or have under another name."""

import importlib
import math
import re
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List

import torch
from torch import nn
from torch.nn import functional

from worker.events import Unsupported
from worker.networks.neutral.builder import Network

RELEASE = tuple(int(number) for number in re.findall(r"\d+", torch.__version__)[:2])
HAS_GRAPHS = RELEASE >= (1, 8)
"""Whether it has torch.fx."""
inference_mode = getattr(torch, "inference_mode", torch.no_grad)  # from 1.9 on


@contextmanager
def nullcontext() -> Iterator[None]:
    """Do nothing: contextlib has such a context from Python 3.7 on."""
    yield


def to_layout(channels_last: bool) -> Dict[str, Any]:
    """The arguments of to() for a layout, which PyTorch has from 1.5 on; raises Unsupported."""
    if RELEASE >= (1, 5):
        layout = torch.channels_last if channels_last else torch.contiguous_format
        return {"memory_format": layout}
    if channels_last:
        raise Unsupported("PyTorch has channels_last from 1.5 on")
    return {}


def layer(name: str, since: str) -> Callable[..., nn.Module]:
    """A function that makes a layer of torch.nn; raises Unsupported where there is none."""

    def make(*arguments: Any) -> nn.Module:
        if not hasattr(nn, name):
            raise Unsupported(f"PyTorch has {name} from {since} on")
        module: nn.Module = getattr(nn, name)(*arguments)
        return module

    return make


def gelu() -> nn.Module:
    """A layer of GELU; raises Unsupported before 1.2."""
    if not hasattr(functional, "gelu"):
        raise Unsupported("PyTorch has GELU from 1.2 on")
    return Gelu()


class Gelu(nn.Module):
    """GELU by its function; `inplace` holds for predictions alone, as gradients need its input.

    PyTorch's own encoder does so in prediction, too; the layer alone, nn.GELU, can't.
    """

    inplace = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Each value's."""
        overwrite = getattr(torch._C._nn, "gelu_", None)  # from 1.12 on
        if overwrite and self.inplace and not torch.is_grad_enabled():
            return overwrite(x)
        return functional.gelu(x)


class Flatten(nn.Module):
    """All axes but the first as one, as torch.nn.Flatten from 1.2 on."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Vectors (n, features)."""
        return x.flatten(1)


def attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, causal: bool
) -> torch.Tensor:
    """PyTorch's own from 2.0 on, before it two products; all (n, heads, tokens, size)."""
    if hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
    scores = query.matmul(key.transpose(2, 3)) * query.shape[-1] ** -0.5
    if causal:
        count = query.shape[2]
        mask = torch.full((count, count), -math.inf, device=scores.device).triu(1)
        scores = scores + mask.to(scores.dtype)  # which has triu in float32 alone in some releases
    return scores.softmax(dim=-1).matmul(value)


def build_configuration() -> str:
    """PyTorch's text on its build and libraries, which it has from 1.1 on."""
    return torch.__config__.show() if hasattr(torch, "__config__") else ""


def has_onednn() -> bool:
    """Whether PyTorch computes by MKL-DNN or oneDNN, as far as the release tells: from 1.1 on."""
    try:
        module = importlib.import_module("torch.backends.mkldnn")
    except ImportError:
        return False
    return bool(module.is_available() and getattr(module, "enabled", True))


class InOrder(nn.Module):
    """Layers called in their order, for releases without torch.fx (before 1.8).

    A value is released after its last use, as in a traced graph.
    """

    def __init__(self, network: Network, modules: Dict[str, nn.Module]) -> None:
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)
        self.source, self.result = network.input.name, network.layers[-1].name
        last_uses = {name: layer.name for layer in network.layers[1:] for name in layer.inputs}
        unused_after: Dict[str, List[str]] = {}
        for name, user in last_uses.items():
            unused_after.setdefault(user, []).append(name)
        self.calls = [
            (layer.name, modules[layer.name], layer.inputs, unused_after.get(layer.name, ()))
            for layer in network.layers[1:]
        ]

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The output of the last layer."""
        values = {self.source: images}
        for name, module, inputs, unused in self.calls:
            values[name] = module(*[values[each] for each in inputs])
            for each in unused:
                del values[each]
        return values[self.result]
