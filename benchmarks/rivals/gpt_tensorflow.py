"""A decoder of GPT-2's form in Keras, as its text generation example writes it."""

import keras
import tensorflow as tf
from tensorflow.keras import layers


class Embeddings(layers.Layer):
    """Tokens and positions; the table gives the logits, too."""

    def __init__(self, vocabulary, tokens, features):
        super().__init__()
        self.tokens = layers.Embedding(vocabulary, features)
        self.positions = layers.Embedding(tokens, features)

    def call(self, numbers):
        """Both, added."""
        return self.tokens(numbers) + self.positions(tf.range(tf.shape(numbers)[1]))


class Logits(layers.Layer):
    """Products with the rows of the embedding's table."""

    def __init__(self, embeddings):
        super().__init__()
        self.embeddings = embeddings

    def call(self, x):
        """The logits."""
        return tf.matmul(x, self.embeddings.tokens.embeddings, transpose_b=True)


def gpt(vocabulary, tokens, features, heads, blocks):
    """The model."""
    numbers = tf.keras.Input((tokens,), dtype="int32")
    embeddings = Embeddings(vocabulary, tokens, features)
    x = embeddings(numbers)
    for _ in range(blocks):
        y = layers.LayerNormalization(epsilon=1e-5)(x)
        attention = layers.MultiHeadAttention(heads, features // heads)
        x = layers.Add()([x, attention(y, y, use_causal_mask=True)])
        y = layers.LayerNormalization(epsilon=1e-5)(x)
        y = layers.Dense(4 * features, activation=tf.nn.gelu)(y)
        x = layers.Add()([x, layers.Dense(features)(y)])
    x = layers.LayerNormalization(epsilon=1e-5)(x)
    return tf.keras.Model(numbers, Logits(embeddings)(x))


class CachedBlock(layers.Layer):
    """A block that keeps keys and values, as KerasHub's CachedMultiHeadAttention does."""

    def __init__(self, features, heads):
        super().__init__()
        self.heads, self.size = heads, features // heads
        self.norm1 = layers.LayerNormalization(epsilon=1e-5)
        self.norm2 = layers.LayerNormalization(epsilon=1e-5)
        self.in_projection = layers.Dense(3 * features)
        self.out_projection = layers.Dense(features)
        self.wide = layers.Dense(4 * features, activation=tf.nn.gelu)
        self.narrow = layers.Dense(features)

    def call(self, x, cache, first):
        """The tokens from place `first` on, and the cache (2, n, tokens, heads, size) with them."""
        n, count, features = x.shape
        parts = self.in_projection(self.norm1(x))
        query, *new = tf.unstack(tf.reshape(parts, (n, count, 3, self.heads, self.size)), axis=2)
        cache = keras.ops.slice_update(cache, (0, 0, first, 0, 0), tf.stack(new))
        scores = tf.einsum("nqhs,nkhs->nhqk", query / self.size**0.5, cache[0])
        is_read = tf.range(cache.shape[2]) <= first + tf.range(count)[:, None]
        shares = tf.nn.softmax(tf.where(is_read, scores, -1e9))
        y = tf.einsum("nhqk,nkhs->nqhs", shares, cache[1])
        x = x + self.out_projection(tf.reshape(y, (n, count, features)))
        return x + self.narrow(self.wide(self.norm2(x))), cache


class Generator(layers.Layer):
    """Continues prompts by the likeliest tokens, in one loop of the graph."""

    def __init__(self, vocabulary, tokens, features, heads, blocks):
        super().__init__()
        self.table = self.add_weight(shape=(vocabulary, features))
        self.positions = self.add_weight(shape=(tokens, features))
        self.blocks = [CachedBlock(features, heads) for _ in range(blocks)]
        self.norm = layers.LayerNormalization(epsilon=1e-5)

    def next(self, numbers, caches, first):
        """The token after some, and the caches."""
        positions = first + tf.range(numbers.shape[1])
        x = tf.gather(self.table, numbers) + tf.gather(self.positions, positions)
        kept = []
        for block, cache in zip(self.blocks, caches):
            x, cache = block(x, cache=cache, first=first)
            kept.append(cache)
        logits = tf.matmul(self.norm(x[:, -1:]), self.table, transpose_b=True)
        return tf.argmax(logits, axis=-1), kept

    def call(self, prompts, steps):
        """The last token."""
        (n, count), (tokens, features) = prompts.shape, self.positions.shape
        heads = self.blocks[0].heads
        shape = (2, n, tokens, heads, features // heads)
        token, caches = self.next(prompts, [tf.zeros(shape) for _ in self.blocks], 0)
        loop = (tf.constant(count), token, caches)
        _, token, _ = tf.while_loop(
            lambda place, *_: place < count + steps - 1,
            lambda place, token, caches: (place + 1, *self.next(token, caches, place)),
            loop,
        )
        return token
