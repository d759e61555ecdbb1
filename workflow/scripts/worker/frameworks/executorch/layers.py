"""Layers of PyTorch in operators for which ExecuTorch has kernels."""

import torch
from torch import nn
from torch.nn import functional

from worker.frameworks.pytorch import layers


class LocalResponseNorm(layers.LocalResponseNorm):
    """Normalisation by 2-D means, where PyTorch uses 3-D ones."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Divide each value by a power of the mean of squares of its neighbouring channels."""
        squares = x.square().flatten(2).unsqueeze(1)  # (n, 1, C, H * W)
        margins = (0, 0, self.size // 2, (self.size - 1) // 2)
        means = functional.avg_pool2d(functional.pad(squares, margins), (self.size, 1), stride=1)
        return x / (self.k + self.alpha * means.squeeze(1).view_as(x)) ** self.beta


def replace(module: nn.Module) -> nn.Module:
    """Replace PyTorch's layers in a module by these."""
    for name, layer in module.named_children():
        if isinstance(layer, layers.LocalResponseNorm):
            setattr(module, name, LocalResponseNorm(layer.size, layer.alpha, layer.beta, layer.k))
    return module
