"""Generation in JAX: a jitted prefill, and a decode that updates the caches in their own memory."""

from functools import partial
from typing import Any, Callable, Dict, Tuple

import jax
from jax import lax
from jax import numpy as jnp

from worker.frameworks.jax.convolutions import ByRole
from worker.frameworks.jax.layers import EVALUATION, lstm_from
from worker.job import Job
from worker.networks.neutral import stepwise
from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.forward import Kinds, forward

Cache = Dict[str, Tuple[jax.Array, jax.Array]]
"""Keys and values (n, heads, tokens, size) by the names of attention layers; cells and outputs
(n, units) by those of LSTMs."""

Result = Tuple[Cache, jax.Array, jax.Array]
"""The cache, the logits (n, vocabulary) and the next tokens (n,)."""


class Generator:
    """Prefill and decode of a language model; `narrow` gives layers the job's precision."""

    def __init__(self, job: Job, network: Network, narrow: Callable[[Kinds], Kinds]) -> None:
        self.of_prompt, self.of_token = stepwise.of_job(job)
        self.narrow, self.token_count = narrow, network.token_count
        self.prompt_tokens = self.of_prompt.token_count
        self.prefill = jax.jit(self._prefill)
        self.decode = jax.jit(self._decode, donate_argnums=1)

    def _prefill(self, values: Dict[str, jax.Array], images: jax.Array) -> Result:
        prompts = images[:, :, : self.prompt_tokens]
        cache: Cache = {}
        kinds: Kinds = dict(
            attention=partial(self._attention_of_prompt, cache),
            lstm=partial(_lstm_of_prompt, cache),
            positions=partial(_positions, 0),
        )
        return self._result(self.of_prompt, kinds, prompts, values, cache)

    def _decode(
        self, values: Dict[str, jax.Array], cache: Cache, tokens: jax.Array, position: jax.Array
    ) -> Result:
        cache = dict(cache)
        kinds: Kinds = dict(
            attention=partial(_attention_of_token, cache, position),
            lstm=partial(_lstm_of_token, cache),
            positions=partial(_positions, position),
        )
        images = tokens.reshape(-1, 1, 1, 1)
        return self._result(self.of_token, kinds, images, values, cache)

    def _result(
        self,
        network: Network,
        kinds: Kinds,
        images: jax.Array,
        values: Dict[str, jax.Array],
        cache: Cache,
    ) -> Result:
        all_kinds = self.narrow({**EVALUATION, **kinds})
        logits = forward(network, all_kinds, images, dict(values)).astype(jnp.float32)
        return cache, logits, logits.argmax(axis=-1)

    def _attention_of_prompt(
        self, cache: Cache, layer: Layer, weights: ByRole, x: jax.Array
    ) -> jax.Array:
        _, key, value = _parts(layer, x)
        missing = [(0, 0), (0, 0), (0, self.token_count - self.prompt_tokens), (0, 0)]
        cache[layer.name] = jnp.pad(key, missing), jnp.pad(value, missing)
        return EVALUATION["attention"](layer, weights, x)


def _parts(layer: Layer, x: jax.Array) -> Any:
    """Queries, keys and values, each (n, heads, tokens, size)."""
    parts = x.reshape(*x.shape[:2], 3, layer.settings["heads"], -1)
    return parts.transpose(2, 0, 3, 1, 4)


def _attention_of_token(
    cache: Cache, position: jax.Array, layer: Layer, weights: ByRole, x: jax.Array
) -> jax.Array:
    """Attention of one token to all that are kept, and to itself.

    Products and sums in float32, which XLA fuses: on the CPU its product of matrices is slower for
    one row.
    """
    query, *new = _parts(layer, x)
    keys, values = (
        lax.dynamic_update_slice(old, part.astype(old.dtype), (0, 0, position, 0))
        for old, part in zip(cache[layer.name], new)
    )
    cache[layer.name] = keys, values
    query, keys, values = (part.astype(jnp.float32) for part in (query, keys, values))
    scores = (query * keys).sum(axis=-1) * query.shape[-1] ** -0.5
    is_kept = jnp.arange(keys.shape[2]) <= position
    shares = jax.nn.softmax(jnp.where(is_kept, scores, -jnp.inf))
    y = (shares[..., None] * values).sum(axis=2)
    return y.astype(x.dtype).reshape(len(x), *layer.shape)


def _lstm_of_prompt(cache: Cache, layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    start = jnp.zeros((len(x), layer.settings["units"]), x.dtype)
    cache[layer.name], y = lstm_from((start, start), weights, x)
    return y


def _lstm_of_token(cache: Cache, layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    cache[layer.name], y = lstm_from(cache[layer.name], weights, x)
    return y


def _positions(first: Any, layer: Layer, weights: ByRole, x: jax.Array) -> jax.Array:
    """The vectors of the positions from `first` on, added."""
    return x + lax.dynamic_slice_in_dim(weights["positions"], first, x.shape[1])
