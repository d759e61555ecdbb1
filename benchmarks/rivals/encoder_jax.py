"""The small text encoder in JAX, as functions of a tree of parameters."""

import gpt_jax
import jax
import jax.numpy as jnp
from gpt_jax import dense, normalise
from jax import random


def initialise(key, vocabulary, tokens, features, blocks, classes):
    """Random parameters: the decoder's, and those of the two last layers."""
    pooler, head = (0.02 * random.normal(key, (features, n)) for n in (features, classes))
    return {
        **gpt_jax.initialise(key, vocabulary, tokens, features, blocks),
        "pooler": {"kernel": pooler, "bias": jnp.zeros(features)},
        "head": {"kernel": head, "bias": jnp.zeros(classes)},
    }


def logits(p, numbers, heads):
    """The logits of a text's class (n, classes)."""
    x = normalise(p["norm"], p["table"][numbers] + p["positions"])
    for block in p["blocks"]:
        parts = jnp.split(dense(block["in"], x), 3, axis=-1)
        parts = [part.reshape(*x.shape[:2], heads, -1) for part in parts]
        y = jax.nn.dot_product_attention(*parts).reshape(x.shape)
        x = normalise(block["norm1"], x + dense(block["out"], y))
        hidden = jax.nn.gelu(dense(block["wide"], x), approximate=False)
        x = normalise(block["norm2"], x + dense(block["narrow"], hidden))
    return dense(p["head"], jnp.tanh(dense(p["pooler"], x[:, 0])))
