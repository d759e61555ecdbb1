"""Generation in PyTorch: the network's modules layer by layer, with caches of a fixed size."""

from typing import Any, Callable, Dict, Mapping

import torch
from torch import nn

from worker.frameworks.pytorch import releases
from worker.frameworks.pytorch.layers import LSTM, Attention, Positions
from worker.job import Job
from worker.networks.neutral.builder import Network


class Generator:
    """What was kept of a batch's texts, and the number of their tokens that were read.

    Attention keeps keys and values (n, heads, tokens, size), an LSTM its outputs and cells.
    """

    def __init__(self, job: Job, network: Network, module: nn.Module) -> None:
        self.network, self.prompt_tokens = network, network.token_count - job.steps
        self.modules: Mapping[str, nn.Module] = dict(module.named_modules())
        self.kept: Dict[str, Any] = {}
        self.read = 0

    def begin(self) -> None:
        """Begin anew, with other texts in the same memory."""
        self.read = 0

    def logits(self, tokens: torch.Tensor) -> torch.Tensor:
        """Read the next tokens (n, count) of each text; the logits (n, vocabulary) after them."""
        outputs = {self.network.input.name: tokens}
        *layers, end = self.network.layers[1:]
        for layer in layers:
            module = self.modules[layer.name]
            compute = KINDS.get(type(module))
            inputs = [outputs[name] for name in layer.inputs]
            outputs[layer.name] = (
                compute(self, layer.name, module, *inputs) if compute else module(*inputs)
            )
        self.read += tokens.shape[1]
        return self.modules[end.name](outputs[end.inputs[0]][:, -1]).float()

    def attention(self, name: str, module: Any, x: torch.Tensor) -> torch.Tensor:
        """Attention of new tokens to the kept ones and to themselves."""
        query, *new = module.parts(x)
        n, heads, count, size = query.shape
        if name not in self.kept:
            shape = (n, heads, self.network.token_count, size)
            self.kept[name] = [query.new_empty(shape) for _ in new]
        end = self.read + count
        for kept, part in zip(self.kept[name], new):
            kept[:, :, self.read : end] = part
        key, value = (kept[:, :, :end] for kept in self.kept[name])
        y = releases.attention(query, key, value, causal=self.read == 0)
        return y.transpose(1, 2).flatten(2)

    def lstm(self, name: str, module: Any, x: torch.Tensor) -> torch.Tensor:
        """The outputs of new tokens, from the state after the earlier ones."""
        y, self.kept[name] = module.lstm(x, self.kept[name] if self.read else None)
        return y

    def positions(self, name: str, module: Any, x: torch.Tensor) -> torch.Tensor:
        """The vectors of the next positions, added."""
        return x + module.positions[self.read : self.read + x.shape[1]]


KINDS: Dict[type, Callable[..., torch.Tensor]] = {
    Attention: Generator.attention,
    LSTM: Generator.lstm,
    Positions: Generator.positions,
}
"""The layers that differ from those that read whole texts."""
