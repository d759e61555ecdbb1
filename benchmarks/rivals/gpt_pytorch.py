"""A decoder of GPT-2's form in PyTorch, as nanoGPT and the documentation of attention write it."""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """Attention and two dense layers, each of normalised tokens and added to them."""

    def __init__(self, features, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(features), nn.LayerNorm(features)
        self.in_projection = nn.Linear(features, 3 * features)
        self.out_projection = nn.Linear(features, features)
        self.dense = nn.Sequential(
            nn.Linear(features, 4 * features), nn.GELU(), nn.Linear(4 * features, features)
        )

    def forward(self, x, cache=None):
        """The tokens, and the keys and values of all tokens so far."""
        n, tokens, features = x.shape
        shape = (n, tokens, self.heads, features // self.heads)
        parts = self.in_projection(self.norm1(x)).split(features, dim=2)
        query, key, value = (part.view(shape).transpose(1, 2) for part in parts)
        if cache is not None:
            key = torch.cat([cache[0], key], dim=2)
            value = torch.cat([cache[1], value], dim=2)
        y = functional.scaled_dot_product_attention(query, key, value, is_causal=tokens > 1)
        x = x + self.out_projection(y.transpose(1, 2).reshape(n, tokens, features))
        return x + self.dense(self.norm2(x)), (key, value)


class GPT(nn.Module):
    """Logits of the next tokens, by the table of the embedding."""

    def __init__(self, vocabulary, tokens, features, heads, blocks):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, features)
        self.positions = nn.Embedding(tokens, features)
        self.blocks = nn.ModuleList([Block(features, heads) for _ in range(blocks)])
        self.norm = nn.LayerNorm(features)
        self.head = nn.Linear(features, vocabulary, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, numbers, caches=None, first=0):
        """The logits, and the keys and values of each block."""
        positions = torch.arange(first, first + numbers.shape[1], device=numbers.device)
        x = self.embedding(numbers) + self.positions(positions)
        kept = []
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks)):
            x, new = block(x, cache)
            kept.append(new)
        return self.head(self.norm(x)), kept


@torch.inference_mode()
def generate(model, prompts, steps):
    """Continue prompts (n, tokens) by the likeliest tokens."""
    logits, caches = model(prompts)
    tokens = logits[:, -1].argmax(dim=-1, keepdim=True)
    for number in range(steps - 1):
        logits, caches = model(tokens, caches, prompts.shape[1] + number)
        tokens = logits[:, -1].argmax(dim=-1, keepdim=True)
    return tokens
