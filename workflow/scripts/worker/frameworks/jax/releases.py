"""Parts of JAX that releases from 0.4.13 on lack, or have under another name."""

import os
from functools import partial

import jax
from jax import numpy as jnp

from worker.events import Unsupported
from worker.job import Job

RELEASE = tuple(int(number) for number in jax.__version__.split(".")[:2])

if hasattr(jax, "shard_map"):  # from 0.6 on
    shard_map = partial(jax.shard_map, check_vma=False)
else:
    from jax.experimental import shard_map as module

    shard_map = partial(module.shard_map, check_rep=False)

try:
    from jax.extend.core import jaxprs_in_params as jaxprs_in_params
except ImportError:  # up to 0.6.2 at least
    from jax.core import jaxprs_in_params as jaxprs_in_params


def set_threads(job: Job) -> None:
    """Set the number of XLA's threads, which it reads when its backend starts.

    Raises Unsupported in 0.4.13, which takes all cores, for another number of threads.
    """
    cores = len(os.sched_getaffinity(0))
    if jax.__version__ == "0.4.13" and job.threads != cores:
        raise Unsupported(f"JAX takes a number of threads from 0.4.14 on, here {cores}")
    os.environ["PJRT_NPROC"] = str(job.threads)


def use_onednn(job: Job) -> None:
    """Let XLA compute convolutions and products by oneDNN, which it calls a trial.

    Before XLA's backend starts. Raises Unsupported on GPUs, and before 0.8, which has no such
    switch.
    """
    if job.device_kind != "cpu":
        raise Unsupported("option onednn is for processors")
    if RELEASE < (0, 8):
        raise Unsupported("option onednn: JAX has it from 0.8 on")
    switch = "--xla_cpu_experimental_onednn_custom_call=true"
    os.environ["XLA_FLAGS"] = " ".join([os.environ.get("XLA_FLAGS", ""), switch]).strip()


def random_key(seed: int) -> jax.Array:
    """A key of the typed kind, which JAX has from 0.4.16 on."""
    make = getattr(jax.random, "key", jax.random.PRNGKey)
    return make(seed)


def dot_product_attention(
    query: jax.Array, key: jax.Array, value: jax.Array, causal: bool
) -> jax.Array:
    """JAX's own attention from 0.4.31 on, before it two products; all (n, tokens, heads, size)."""
    if hasattr(jax.nn, "dot_product_attention"):
        return jax.nn.dot_product_attention(query, key, value, is_causal=causal)
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * query.shape[-1] ** -0.5
    if causal:
        scores = jnp.where(jnp.tri(query.shape[1], dtype=bool), scores, -jnp.inf)
    attended: jax.Array = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), value)
    return attended
