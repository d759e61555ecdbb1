"""A decoder of GPT-2's form in MXNet, as GluonNLP writes it with Gluon's layers."""

from mxnet.gluon import nn


class Block(nn.HybridBlock):
    """Attention and two dense layers, each of normalised tokens and added to them."""

    def __init__(self, features, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(epsilon=1e-5), nn.LayerNorm(epsilon=1e-5)
        self.in_projection = nn.Dense(3 * features, flatten=False)
        self.out_projection = nn.Dense(features, flatten=False)
        self.dense = dense_layers(features)

    def hybrid_forward(self, ops, x, mask):
        """The tokens; `mask` (1, tokens, tokens) is added to the scores."""
        y = attend(ops, self.in_projection(self.norm1(x)), self.heads, mask)
        x = x + self.out_projection(y)
        return x + self.dense(self.norm2(x))


def dense_layers(features):
    """Two dense layers of each token."""
    layers = nn.HybridSequential()
    layers.add(nn.Dense(4 * features, flatten=False), nn.GELU(), nn.Dense(features, flatten=False))
    return layers


def attend(ops, x, heads, mask=None):
    """Attention by queries, keys and values side by side (n, tokens, 3 * features)."""
    query, key, value = (_heads(ops, part, heads) for part in ops.split(x, num_outputs=3, axis=2))
    query = ops.contrib.div_sqrt_dim(query)
    scores = ops.batch_dot(query, key, transpose_b=True)
    if mask is not None:
        scores = ops.broadcast_add(scores, mask)
    y = ops.batch_dot(ops.softmax(scores), value)
    y = ops.transpose(ops.reshape(y, (-1, heads, 0, 0), reverse=True), (0, 2, 1, 3))
    return ops.reshape(y, (0, 0, -1))


def _heads(ops, x, heads):
    """The tokens (n * heads, tokens, size)."""
    x = ops.transpose(ops.reshape(x, (0, 0, heads, -1)), (0, 2, 1, 3))
    return ops.reshape(x, (-3, 0, 0))


class GPT(nn.HybridBlock):
    """Logits of the next tokens, by the table of the embedding."""

    def __init__(self, vocabulary, tokens, features, heads, blocks):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, features)
        self.positions = self.params.get("positions", shape=(1, tokens, features))
        self.blocks = [Block(features, heads) for _ in range(blocks)]
        for block in self.blocks:
            self.register_child(block)
        self.norm = nn.LayerNorm(epsilon=1e-5)
        self.head = nn.Dense(
            vocabulary, flatten=False, use_bias=False, params=self.embedding.collect_params()
        )
        later = [[-1e9 * (column > row) for column in range(tokens)] for row in range(tokens)]
        self.mask = self.params.get_constant("mask", [later])

    def hybrid_forward(self, ops, numbers, positions, mask):
        """The logits (n, tokens, vocabulary)."""
        x = ops.broadcast_add(self.embedding(numbers), positions)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x))
