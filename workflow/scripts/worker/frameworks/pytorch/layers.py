"""The layers in PyTorch: one module per layer, in a traced graph of the whole network."""

from typing import Callable, Dict, List, Sequence

import torch
from torch import nn

from worker.arrays import Shape, Weights
from worker.frameworks.pytorch import releases
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import of_kind


def graph_module(network: Network) -> nn.Module:
    """A module per layer in a traced graph, which releases a value after its last use."""
    shapes = {layer.name: layer.shape for layer in network.layers}
    modules: Dict[str, nn.Module] = {}
    for layer in network.layers[1:]:
        inputs = [shapes[name] for name in layer.inputs]
        modules[layer.name] = of_kind(KINDS, layer)(*inputs, **layer.settings)
    overwrite(network, modules)
    share(network, modules)
    return traced(network, modules) if releases.HAS_GRAPHS else releases.InOrder(network, modules)


def traced(network: Network, modules: Dict[str, nn.Module]) -> nn.Module:
    """The network's modules as one module by torch.fx."""
    from torch import fx

    graph = fx.Graph()
    nodes = {network.input.name: graph.placeholder("images")}
    for layer in network.layers[1:]:
        nodes[layer.name] = graph.call_module(layer.name, tuple(nodes[n] for n in layer.inputs))
    graph.output(nodes[network.layers[-1].name])
    return fx.GraphModule(modules, graph)


def tensors(network: Network, module: nn.Module) -> Dict[str, torch.Tensor]:
    """The tensors of the network's module by neutral names; their layouts are neutral, too."""
    modules = dict(module.named_modules())
    return {
        weight.name: getattr(modules[layer.name], RENAMED.get(weight.role, weight.role))
        for layer in network.layers
        for weight in layer.weights
    }


@torch.no_grad()
def predicting(network: Network, weights: Weights) -> nn.Module:
    """The network's module with these weights, for prediction."""
    module = graph_module(network)
    for name, tensor in tensors(network, module).items():
        tensor.copy_(torch.from_numpy(weights[name]))
    return module.eval()


def share(network: Network, modules: Dict[str, nn.Module]) -> None:
    """Give a weight of several layers to the modules of all of them."""
    owners: Dict[str, nn.Module] = {}
    for layer in network.layers[1:]:
        for weight in layer.weights:
            module, name = modules[layer.name], RENAMED.get(weight.role, weight.role)
            setattr(module, name, getattr(owners.setdefault(weight.name, module), name))


def overwrite(network: Network, modules: Dict[str, nn.Module]) -> None:
    """Let activations work in place where nothing else reads their input, not even a gradient."""
    read = [name for layer in network.layers[1:] for name in layer.inputs]
    for layer in network.layers[1:]:
        module = modules[layer.name]
        if isinstance(module, (nn.ReLU, nn.ReLU6, releases.Gelu)):
            (source,) = layer.inputs  # the images come from no module
            can_overwrite = isinstance(modules.get(source), OVERWRITABLE)
            module.inplace = can_overwrite and read.count(source) == 1


RENAMED = {
    "kernel": "weight",
    "scale": "weight",
    "shift": "bias",
    "running_variance": "running_var",
    "table": "weight",
}
"""PyTorch's names of weights by role, where they differ."""


class Dense(nn.Linear):
    """Affine map of vectors, of each token, or of images (n, C, H, W)."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Flatten images channels first, and map the last axis."""
        return super().forward(x.flatten(1) if x.dim() == 4 else x)


class PatchTokens(nn.Conv2d):
    """A class token and those of patches, with learnt positions."""

    def __init__(self, x: Shape, features: int, kernel: int) -> None:
        super().__init__(x[0], features, kernel, kernel)
        count = (x[1] // kernel) * (x[2] // kernel)
        self.class_token = nn.Parameter(torch.empty(features))
        self.positions = nn.Parameter(torch.empty(1 + count, features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Tokens (n, 1 + patches, features)."""
        patches = super().forward(x).flatten(2).transpose(1, 2)
        first = self.class_token.expand(len(x), 1, -1)
        return torch.cat([first, patches], dim=1) + self.positions


class Embedding(nn.Embedding):
    """PyTorch's embedding, of an image's values."""

    def __init__(self, x: Shape, features: int, rows: int) -> None:
        super().__init__(rows, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Tokens (n, C * H * W, features)."""
        return super().forward(x.flatten(1).long())


class Positions(nn.Module):
    """Addition of learnt vectors."""

    def __init__(self, x: Shape) -> None:
        super().__init__()
        self.positions = nn.Parameter(torch.empty(x))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add each position's vector to its token."""
        return x + self.positions


class LSTM(nn.Module):
    """PyTorch's LSTM; the second of its biases stays 0."""

    def __init__(self, x: Shape, units: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(x[1], units, batch_first=True)
        self.weight, self.recurrent = self.lstm.weight_ih_l0, self.lstm.weight_hh_l0
        self.bias = self.lstm.bias_ih_l0
        nn.init.zeros_(self.lstm.bias_hh_l0).requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The outputs at all tokens."""
        return self.lstm(x)[0]


class Attention(nn.Module):
    """PyTorch's own fused attention."""

    def __init__(self, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Queries, keys and values (n, tokens, 3 * features) to (n, tokens, features)."""
        query, key, value = self.parts(x)
        return releases.attention(query, key, value, self.causal).transpose(1, 2).flatten(2)

    def parts(self, x: torch.Tensor) -> List[torch.Tensor]:
        """Queries, keys and values, each (n, heads, tokens, size), as views.

        Cut by chunk(), whose gradient is one copy; one view of all parts would take two.
        """
        shape = (*x.shape[:2], self.heads, -1)
        return [part.reshape(shape).transpose(1, 2) for part in x.chunk(3, dim=2)]


class Token(nn.Module):
    """Indexing as a layer."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The token of that number of each image."""
        return x[:, self.number]


class LocalResponseNorm(nn.LocalResponseNorm):
    """PyTorch's normalisation, in float32, the only type that it has on processors."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Normalise; the output has the type of the input."""
        return super().forward(x.float()).to(x.dtype)


class Add(nn.Module):
    """Addition as a layer."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """Element-wise sum."""
        return x + y


class Multiply(nn.Module):
    """Multiplication of images (n, C, H, W) by factors (n, C) as a layer."""

    def forward(self, x: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
        """Each channel times its factor."""
        return x * factors[:, :, None, None]


class Concat(nn.Module):
    """Concatenation as a layer."""

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        """Channels one after the other."""
        return torch.cat(inputs, dim=1)


OVERWRITABLE = (nn.Conv2d, nn.BatchNorm2d, nn.Linear, nn.MaxPool2d, nn.AvgPool2d, Add, Concat)
"""Modules whose output is no view of their input, and isn't needed for their gradient."""


def conv(
    x: Shape, channels: int, kernel: int, stride: int, padding: int, bias: bool, groups: int
) -> nn.Conv2d:
    """Square convolution."""
    return nn.Conv2d(x[0], channels, kernel, stride, padding, groups=groups, bias=bias)


def max_pool(
    x: Shape, kernel: int, stride: int, padding: int, overhang: Sequence[int]
) -> nn.MaxPool2d:
    """Maximum over windows; with an overhang, the last ones reach over the edge."""
    return nn.MaxPool2d(kernel, stride, padding, ceil_mode=any(overhang))


def average_pool(x: Shape, kernel: int, stride: int, overhang: Sequence[int]) -> nn.AvgPool2d:
    """Mean over windows; with an overhang, the last ones reach over the edge."""
    return nn.AvgPool2d(kernel, stride, ceil_mode=any(overhang), count_include_pad=False)


def dense(x: Shape, units: int) -> Dense:
    """Affine map of tokens, of vectors or of images."""
    return Dense(x[1] if len(x) == 2 else torch.Size(x).numel(), units)


# Each kind of layer: its module, from the shapes of its inputs and its settings.
KINDS: Dict[str, Callable[..., nn.Module]] = {
    "conv": conv,
    "batch_norm": lambda x, epsilon, momentum: nn.BatchNorm2d(x[0], epsilon, 1 - momentum),
    "relu": lambda x: nn.ReLU(),
    "relu6": lambda x: nn.ReLU6(),
    "silu": lambda x: releases.layer("SiLU", "1.7")(),
    "sigmoid": lambda x: nn.Sigmoid(),
    "tanh": lambda x: nn.Tanh(),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lambda x, size, alpha, beta: LocalResponseNorm(size, alpha, beta),
    "dropout": lambda x, rate: nn.Dropout(rate),
    "concat": lambda *inputs: Concat(),
    "global_average_pool": lambda x: nn.Sequential(nn.AdaptiveAvgPool2d(1), releases.Flatten()),
    "dense": dense,
    "add": lambda x, y: Add(),
    "patch_tokens": PatchTokens,
    "layer_norm": lambda x, epsilon: nn.LayerNorm(x[-1], epsilon),
    "gelu": lambda x: releases.gelu(),
    "attention": lambda x, heads, causal: Attention(heads, causal),
    "embedding": Embedding,
    "unembedding": lambda x, rows: nn.Linear(x[1], rows, bias=False),
    "positions": Positions,
    "lstm": LSTM,
    "first_token": lambda x: Token(0),
    "last_token": lambda x: Token(-1),
    "multiply": lambda x, factors: Multiply(),
}
