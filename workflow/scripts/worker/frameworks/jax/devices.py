"""JAX's devices as a mesh of one axis: batches are split along it, all else is replicated."""

import sys
from typing import Any, Callable

import jax
import numpy
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

from worker import support
from worker.job import Job

AXIS = "devices"
EACH, PARTS = PartitionSpec(), PartitionSpec(AXIS)


class Mesh:
    """The devices of a job. Raises events.Unsupported where there are fewer GPUs than it asks for.

    Of several nodes, all devices are in it; `devices` are this one's. `whole` and `parts` are the
    places of what is replicated and of batches.
    """

    def __init__(self, job: Job) -> None:
        kind, count = job.device_kind, job.node_device_count
        if kind == "cpu" and count > 1:
            jax.config.update("jax_num_cpu_devices", count)  # before the backend starts
        try:
            found = jax.local_devices(backend=kind)
        except RuntimeError as error:
            print(error, file=sys.stderr)  # for the log: a driver that is too old, say
            found = []
        support.check_gpu_count(job, len(found))
        if kind == "cuda":
            major, minor = found[0].compute_capability.split(".")
            support.check_capability(job, (int(major), int(minor)))
        self.devices = found[:count]
        all_devices = self.devices if job.node_count == 1 else jax.devices(kind)
        self.mesh = jax.sharding.Mesh(all_devices, AXIS)
        self.whole, self.parts = (NamedSharding(self.mesh, spec) for spec in (EACH, PARTS))

    def replicated(self, values: Any) -> Any:
        """A tree of arrays as a copy on each device."""
        return jax.device_put(values, self.whole)

    def split(self, arrays: Any) -> Any:
        """Parts of arrays, on this node's devices, of what it has of them."""
        return jax.device_put(arrays, self.parts)

    def own(self, array: jax.Array) -> numpy.ndarray:
        """What this node's devices have of an array in parts."""
        return numpy.asarray(array)

    def on_each(
        self, function: Callable[..., Any], wholes: int, parts: int, result: PartitionSpec
    ) -> Callable[..., Any]:
        """The same function on each device, of so many wholes and then so many parts of batches."""
        inputs = (EACH,) * wholes + (PARTS,) * parts
        return jax.shard_map(
            function, mesh=self.mesh, in_specs=inputs, out_specs=result, check_vma=False
        )


def own_key(key: jax.Array) -> jax.Array:
    """A random key for each device, within a function on each."""
    return jax.random.fold_in(key, lax.axis_index(AXIS))


def mean_over_devices(values: Any) -> Any:
    """The mean of a tree of arrays, within a function on each."""
    return lax.pmean(values, AXIS)
