"""JAX's devices as a mesh with one axis: batches are split along it, all else is replicated."""

import sys
from typing import Any, Callable

import jax
import numpy
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

from worker import support
from worker.frameworks.jax.releases import shard_map
from worker.job import Job

AXIS = "devices"
EACH, PARTS = PartitionSpec(), PartitionSpec(AXIS)


class Mesh:
    """The devices of a job on all nodes; raises events.Unsupported where there are fewer GPUs.

    devices: this node's; whole, parts: the shardings of replicated values and of batches.
    """

    def __init__(self, job: Job) -> None:
        kind, count = job.device_kind, job.node_device_count
        if kind == "cpu" and count > 1:
            jax.config.update("jax_num_cpu_devices", count)  # before the backend starts
        try:
            local_devices = jax.local_devices(backend=kind)
        except RuntimeError as error:
            print(error, file=sys.stderr)  # for the log, such as a driver that is too old
            local_devices = []
        support.check_gpu_count(job, len(local_devices))
        if kind == "cuda":
            major, minor = local_devices[0].compute_capability.split(".")
            support.check_capability(job, (int(major), int(minor)))
        self.devices = local_devices[:count]
        all_devices = self.devices if job.node_count == 1 else jax.devices(kind)
        self.mesh = jax.sharding.Mesh(numpy.array(all_devices), AXIS)  # before 0.5 only arrays
        self.whole, self.parts = (NamedSharding(self.mesh, spec) for spec in (EACH, PARTS))

    def replicated(self, values: Any) -> Any:
        """A tree of arrays, copied to each device."""
        return jax.device_put(values, self.whole)

    def split(self, arrays: Any) -> Any:
        """A node's rows of arrays, split among its devices."""
        return jax.device_put(arrays, self.parts)

    def local(self, array: jax.Array) -> numpy.ndarray:
        """The rows of a split array on this node's devices."""
        return numpy.asarray(array)

    def on_each(
        self, function: Callable[..., Any], wholes: int, parts: int, result: PartitionSpec
    ) -> Callable[..., Any]:
        """The function on each device, of `wholes` replicated and then `parts` split arguments.

        On one device it is the function itself: XLA would copy the values of an exchange.
        """
        if self.mesh.size == 1:
            return function
        inputs = (EACH,) * wholes + (PARTS,) * parts
        return shard_map(function, mesh=self.mesh, in_specs=inputs, out_specs=result)

    def own_key(self, key: jax.Array) -> jax.Array:
        """A random key for each device, in a function that runs on each device."""
        return jax.random.fold_in(key, lax.axis_index(AXIS) if self.mesh.size > 1 else 0)

    def mean(self, values: Any) -> Any:
        """The mean of a tree of arrays over all devices, in a function that runs on each device."""
        return lax.pmean(values, AXIS) if self.mesh.size > 1 else values


def on_processors() -> bool:
    """Whether XLA computes on processors, as this process is shown GPUs only for a run on them."""
    return jax.default_backend() == "cpu"
