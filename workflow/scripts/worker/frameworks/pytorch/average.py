"""A moving average of the weights, PyTorch's own."""

from typing import Dict

import torch

from worker import events
from worker.frameworks.pytorch.layers import tensors
from worker.frameworks.pytorch.releases import RELEASE
from worker.networks.neutral.builder import Network


class Average:
    """The average of a module's trained weights, from those that it has now on.

    As TensorFlow's with the number of updates: after n of them its decay is `decay` at most, and
    (1 + n) / (10 + n) before.
    """

    def __init__(self, network: Network, module: torch.nn.Module, decay: float) -> None:
        if RELEASE < (1, 6):
            raise events.Unsupported("PyTorch has averages of weights from 1.6 on")
        from torch.optim import swa_utils  # which earlier releases lack

        def moved(
            average: torch.Tensor, present: torch.Tensor, count: torch.Tensor
        ) -> torch.Tensor:
            # a tensor, as reading the count of updates would wait for the GPU
            share = 1 - ((1 + count) / (10 + count)).clamp(max=decay)
            return torch.lerp(average, present, share.to(average.dtype))

        self.network, self.module = network, module
        self.average = swa_utils.AveragedModel(module, avg_fn=moved)
        self.average.n_averaged += 1  # else the first update would copy the weights

    def update(self) -> None:
        """Take in the module's present weights."""
        self.average.update_parameters(self.module)

    def tensors(self) -> Dict[str, torch.Tensor]:
        """The averages of the trained weights, by neutral names."""
        trained = {w.name for w in self.network.trainable}
        named = tensors(self.network, self.average.module)
        return {name: tensor for name, tensor in named.items() if name in trained}
