"""TensorFlow on several nodes: a tf.distribute.MultiWorkerMirroredStrategy, a worker per device.

Its workers have one device each, so a node of several devices has as many workers. The running
statistics are the mean over all devices, an exchange in which all workers take part.
"""

from typing import Any, Dict, List

import numpy
import tensorflow as tf

from worker import events, support
from worker.arrays import Weights
from worker.frameworks.tensorflow import adapter
from worker.frameworks.tensorflow.devices import Replicas, prepared_gpus
from worker.job import Job
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.network import free_port, own_address

Implementation = tf.distribute.experimental.CommunicationImplementation
ENGINES = {"cpu": Implementation.RING, "cuda": Implementation.NCCL}


class OneReplica(Replicas):
    """One of the devices; values are its own parts. `addresses` are those of all workers."""

    def __init__(self, job: Job, options: Dict[str, Any], addresses: List[str], rank: int) -> None:
        if options["jit_compile"]:
            raise events.Unsupported(f"jit_compile is for one device, not for {job.device}")
        gpus = prepared_gpus(job)  # before the strategy, with which TensorFlow's devices are made
        support.check_gpu_count(job, len(gpus))
        gpu_of_rank = gpus[rank % job.node_device_count :][:1] if job.device_kind == "cuda" else []
        tf.config.set_visible_devices(gpu_of_rank, "GPU")
        workers = tf.distribute.cluster_resolver.SimpleClusterResolver(
            tf.train.ClusterSpec({"worker": addresses}),
            task_type="worker",
            task_id=rank,
            num_accelerators={"GPU": len(gpu_of_rank)},
            rpc_layer="grpc",
        )
        self.strategy = tf.distribute.MultiWorkerMirroredStrategy(
            workers,
            communication_options=tf.distribute.experimental.CommunicationOptions(
                implementation=ENGINES[job.device_kind]
            ),
        )
        self.names = list(self.strategy.extended.worker_devices)

    def batch(self, *arrays: numpy.ndarray) -> List[tf.Tensor]:
        with tf.device(self.names[0]):
            return [tf.constant(array) for array in arrays]


class Joined(OneRank, adapter.Adapter):
    """The adapter of one of several devices; join() initialises it, with all addresses."""

    def __init__(self, job: Job, rank: int) -> None:
        self.rank_job, self.rank = job._replace(threads=job.device_threads), rank

    def address(self) -> str:
        """The address at which the others will reach this worker: "10.0.0.2:4000"."""
        return f"{own_address()}:{free_port()}"

    def join(self, addresses: List[str]) -> None:
        """Wait for all workers, which have these addresses."""
        self.addresses = addresses
        super().__init__(self.rank_job, (self.rank, len(addresses)))

    def synchronise(self) -> None:
        with tf.device(self.replicas.names[0]):  # others' devices are in TensorFlow's list, too
            tf.raw_ops.SyncDevice()

    def replicated(self) -> OneReplica:
        return OneReplica(self.job, self.options, self.addresses, self.rank)


class AllNodes(AllRanks):
    """The adapter of all devices."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, Joined, (), self.report)
        self.ranks.run("join", self.ranks.gather("address"))

    def weights(self) -> Weights:
        weights: Weights = self.ranks.run("weights")
        return weights
