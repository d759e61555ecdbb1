"""The small text encoder in Keras, as its text classification example writes it."""

import tensorflow as tf
from gpt_tensorflow import Embeddings
from tensorflow.keras import layers


def encoder(vocabulary, tokens, features, heads, blocks, classes):
    """The model."""
    numbers = tf.keras.Input((tokens,), dtype="int32")
    x = layers.LayerNormalization()(Embeddings(vocabulary, tokens, features)(numbers))
    for _ in range(blocks):
        attention = layers.MultiHeadAttention(heads, features // heads)
        x = layers.LayerNormalization()(layers.Add()([x, attention(x, x)]))
        y = layers.Dense(4 * features, activation=tf.nn.gelu)(x)
        x = layers.LayerNormalization()(layers.Add()([x, layers.Dense(features)(y)]))
    x = layers.Dense(features, activation="tanh")(x[:, 0])
    return tf.keras.Model(numbers, layers.Dense(classes)(x))
