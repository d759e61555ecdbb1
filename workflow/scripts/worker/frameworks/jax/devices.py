"""JAX's devices as a mesh of one axis: batches are split along it, all else is replicated."""

import sys
from typing import Any, Callable

import jax
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

from worker import support
from worker.job import Job

AXIS = "devices"
WHOLE, PARTS = PartitionSpec(), PartitionSpec(AXIS)


class Mesh:
    """The devices of a job. Raises events.Unsupported where there are fewer GPUs than it asks for.

    `whole` and `parts` are the places for jax.device_put.
    """

    def __init__(self, job: Job) -> None:
        kind, count = job.device_kind, job.device_count
        if kind == "cpu" and count > 1:
            jax.config.update("jax_num_cpu_devices", count)  # before the backend starts
        try:
            found = jax.devices(kind)
        except RuntimeError as error:
            print(error, file=sys.stderr)  # for the log: a driver that is too old, say
            found = []
        support.enough_gpus(job, len(found))
        if kind == "cuda":
            major, minor = found[0].compute_capability.split(".")
            support.new_enough(job, (int(major), int(minor)))
        self.devices = found[:count]
        self.mesh = jax.sharding.Mesh(self.devices, AXIS)
        self.whole, self.parts = (NamedSharding(self.mesh, spec) for spec in (WHOLE, PARTS))

    def on_each(
        self, function: Callable[..., Any], wholes: int, parts: int, result: PartitionSpec
    ) -> Callable[..., Any]:
        """The same function on each device, of so many wholes and then so many parts of batches."""
        inputs = (WHOLE,) * wholes + (PARTS,) * parts
        return jax.shard_map(
            function, mesh=self.mesh, in_specs=inputs, out_specs=result, check_vma=False
        )


def own_key(key: jax.Array) -> jax.Array:
    """A random key for each device, within a function on each."""
    return jax.random.fold_in(key, lax.axis_index(AXIS))


def mean_over_devices(values: Any) -> Any:
    """The mean of a tree of arrays, within a function on each."""
    return lax.pmean(values, AXIS)
