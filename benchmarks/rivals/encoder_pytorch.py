"""The small text encoder in PyTorch, by the layers that its documentation has for it."""

import torch
from torch import nn


class Encoder(nn.Module):
    """Logits of a text's class, from its first token."""

    def __init__(self, vocabulary, tokens, features, heads, blocks, classes):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, features)
        self.positions = nn.Parameter(torch.randn(tokens, features))
        self.norm = nn.LayerNorm(features)
        settings = {"dropout": 0, "activation": "gelu", "batch_first": True}
        block = nn.TransformerEncoderLayer(features, heads, 4 * features, **settings)
        self.blocks = nn.TransformerEncoder(block, blocks)
        self.head = nn.Sequential(
            nn.Linear(features, features), nn.Tanh(), nn.Linear(features, classes)
        )

    def forward(self, numbers):
        """The logits (n, classes)."""
        x = self.norm(self.embedding(numbers) + self.positions)
        return self.head(self.blocks(x)[:, 0])
