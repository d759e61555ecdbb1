"""A decoder of GPT-2's form in Keras, as its text generation example writes it."""

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
