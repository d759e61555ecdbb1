"""The small text encoder in MXNet, as GluonNLP writes BERT with Gluon's layers."""

from gpt_mxnet import attend, dense_layers
from mxnet.gluon import nn


class Block(nn.HybridBlock):
    """Attention and two dense layers, each added to its tokens and normalised."""

    def __init__(self, features, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(), nn.LayerNorm()
        self.in_projection = nn.Dense(3 * features, flatten=False)
        self.out_projection = nn.Dense(features, flatten=False)
        self.dense = dense_layers(features)

    def hybrid_forward(self, ops, x):
        """The tokens."""
        y = attend(ops, self.in_projection(x), self.heads)
        x = self.norm1(x + self.out_projection(y))
        return self.norm2(x + self.dense(x))


class Encoder(nn.HybridBlock):
    """Logits of a text's class, from its first token."""

    def __init__(self, vocabulary, tokens, features, heads, blocks, classes):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, features)
        self.positions = self.params.get("positions", shape=(1, tokens, features))
        self.blocks = nn.HybridSequential()
        self.blocks.add(nn.LayerNorm(), *(Block(features, heads) for _ in range(blocks)))
        self.head = nn.HybridSequential()
        self.head.add(nn.Dense(features, activation="tanh"), nn.Dense(classes))

    def hybrid_forward(self, ops, numbers, positions):
        """The logits (n, classes)."""
        x = self.blocks(ops.broadcast_add(self.embedding(numbers), positions))
        return self.head(ops.slice_axis(x, axis=1, begin=0, end=1))
