"""JAX on several nodes: a process for each, and one mesh of the devices of all.

XLA exchanges by gloo on processors and by NCCL on GPUs. Every process traces and runs the same
functions; batches are split among processes before they are put on devices.
"""

import atexit
from typing import Any

import jax
import numpy

from worker.frameworks.jax import adapter
from worker.frameworks.jax.devices import Mesh
from worker.job import Job
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.network import free_port, leader_address


class SharedMesh(Mesh):
    """All nodes' devices; every process puts the values of its own devices there."""

    def replicated(self, values: Any) -> Any:
        """A tree of arrays that is equal in every process, copied to each device."""
        return jax.tree.map(self._copied, values)

    def split(self, arrays: Any) -> Any:
        return jax.tree.map(self._joined, arrays)

    def local(self, array: jax.Array) -> numpy.ndarray:
        shards = sorted(array.addressable_shards, key=lambda shard: shard.index[0].start or 0)
        return numpy.concatenate([numpy.asarray(shard.data) for shard in shards])

    def _copied(self, value: Any) -> jax.Array:
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            return jax.random.wrap_key_data(self._copied(jax.random.key_data(value)))
        return jax.make_array_from_process_local_data(self.whole, numpy.asarray(value))

    def _joined(self, array: numpy.ndarray) -> jax.Array:
        return jax.make_array_from_process_local_data(self.parts, array)


class Joined(OneRank, adapter.Adapter):
    """The adapter of one of several nodes."""

    MESH = SharedMesh

    def __init__(self, job: Job, port: int, node: int) -> None:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(f"{leader_address()}:{port}", job.node_count, node)
        super().__init__(job, (node, job.node_count))

    def leave(self) -> None:
        """Leave the other nodes, once all of them do."""
        jax.distributed.shutdown()


class AllNodes(AllRanks):
    """The adapter of all nodes."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, Joined, (free_port(),), self.report, of_each=1)
        atexit.register(self.leave)
