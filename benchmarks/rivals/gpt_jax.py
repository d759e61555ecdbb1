"""A decoder of GPT-2's form in JAX, as functions of a tree of parameters."""

import jax
import jax.numpy as jnp
from jax import lax, random


def initialise(key, vocabulary, tokens, features, blocks):
    """Random parameters."""

    def weight(*shape):
        nonlocal key
        key, subkey = random.split(key)
        return 0.02 * random.normal(subkey, shape)

    def norm():
        return {"scale": jnp.ones(features), "shift": jnp.zeros(features)}

    def dense(inputs, outputs):
        return {"kernel": weight(inputs, outputs), "bias": jnp.zeros(outputs)}

    layers = [
        {
            "norm1": norm(),
            "in": dense(features, 3 * features),
            "out": dense(features, features),
            "norm2": norm(),
            "wide": dense(features, 4 * features),
            "narrow": dense(4 * features, features),
        }
        for _ in range(blocks)
    ]
    tables = {"table": weight(vocabulary, features), "positions": weight(tokens, features)}
    return {**tables, "blocks": layers, "norm": norm()}


def normalise(p, x):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * p["scale"] + p["shift"]


def dense(p, x):
    return x @ p["kernel"] + p["bias"]


def heads_of(p, x, heads):
    parts = dense(p["in"], normalise(p["norm1"], x))
    return [part.reshape(*x.shape[:2], heads, -1) for part in jnp.split(parts, 3, axis=-1)]


def after_attention(p, x, y):
    x = x + dense(p["out"], y.reshape(x.shape))
    hidden = jax.nn.gelu(dense(p["wide"], normalise(p["norm2"], x)), approximate=False)
    return x + dense(p["narrow"], hidden)


def logits(p, numbers, heads):
    """The logits of the next tokens (n, tokens, vocabulary), and keys and values of each block."""
    x = p["table"][numbers] + p["positions"][: numbers.shape[1]]
    kept = []
    for block in p["blocks"]:
        query, key, value = heads_of(block, x, heads)
        y = jax.nn.dot_product_attention(query, key, value, is_causal=True)
        x = after_attention(block, x, y)
        kept.append((key, value))
    return normalise(p["norm"], x) @ p["table"].T, kept


def generate(p, prompts, steps, heads):
    """Continue prompts (n, tokens) by the likeliest tokens, in one scan."""
    first, count = prompts.shape[1], prompts.shape[1] + steps
    scores, kept = logits(p, prompts, heads)
    missing = ((0, 0), (0, steps), (0, 0), (0, 0))
    caches = [tuple(jnp.pad(part, missing) for part in pair) for pair in kept]

    def step(state, position):
        tokens, caches = state
        x = p["table"][tokens][:, None] + p["positions"][position]
        new_caches = []
        for block, cache in zip(p["blocks"], caches):
            query, *new = heads_of(block, x, heads)
            key, value = (
                lax.dynamic_update_slice(old, part, (0, position, 0, 0))
                for old, part in zip(cache, new)
            )
            is_read = (jnp.arange(count) <= position)[None, None, None]
            y = jax.nn.dot_product_attention(query, key, value, mask=is_read)
            x = after_attention(block, x, y)
            new_caches.append((key, value))
        tokens = (normalise(p["norm"], x)[:, 0] @ p["table"].T).argmax(-1)
        return (tokens, new_caches), tokens

    start = scores[:, -1].argmax(-1), caches
    (tokens, _), _ = lax.scan(step, start, jnp.arange(first, count - 1))
    return tokens
